import type { NameEncoding } from './text-encodings.ts';

/** The name options of an rclone crypt remote, with rclone's values. */
export interface NameOptions {
  readonly filename_encryption: 'standard' | 'off' | 'obfuscate';
  readonly directory_name_encryption: boolean;
  readonly filename_encoding: NameEncoding;
  /** Appended to file names that stay clear; may be empty. */
  readonly suffix: string;
}

/** rclone's defaults. */
export const usualNames: NameOptions = {
  filename_encryption: 'standard',
  directory_name_encryption: true,
  filename_encoding: 'base32',
  suffix: '.bin',
};

export function isNameOptions(value: unknown): value is NameOptions {
  if (typeof value !== 'object' || value === null) return false;
  const { filename_encryption, directory_name_encryption, filename_encoding, suffix } = value as Partial<NameOptions>;
  return (
    ['standard', 'off', 'obfuscate'].includes(filename_encryption ?? '') &&
    typeof directory_name_encryption === 'boolean' &&
    ['base32', 'base64', 'base32768'].includes(filename_encoding ?? '') &&
    typeof suffix === 'string'
  );
}
