import { ctr } from '@noble/ciphers/aes.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { fromBase64Url, toBase64Url } from '../base64.ts';
import { type NameOptions, isNameOptions, usualNames } from '../names/options.ts';
import type { Passwords } from './derive.ts';

/** The key built into every rclone (fs/config/obscure). It is public, so an obscured password is not protected. */
const key = hexToBytes('9c935b48730a554d6bfd7c63c886a92bd390198eb8128afbf4de162b8b95f638');
const ivSize = 16;

export function obscure(password: string): string {
  const iv = crypto.getRandomValues(new Uint8Array(ivSize));
  const hidden = ctr(key, iv).encrypt(new TextEncoder().encode(password));
  return toBase64Url(Uint8Array.of(...iv, ...hidden));
}

/** Returns undefined for text that is not an obscured password. */
export function revealPassword(obscured: string): string | undefined {
  try {
    const bytes = fromBase64Url(obscured);
    if (bytes.length < ivSize) return undefined;
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(ctr(key, bytes.slice(0, ivSize)).decrypt(bytes.slice(ivSize)));
  } catch {
    return undefined;
  }
}

/** Writes the section of `rclone.conf` that opens the vault. `remote`: the encrypted folder as an rclone path, such as `nas:Private`. */
export function cryptSection(name: string, remote: string, { password, password2 }: Passwords, options: NameOptions): string {
  const lines = [
    `[${name}]`,
    'type = crypt',
    `remote = ${remote}`,
    `password = ${obscure(password)}`,
    ...(password2 === '' ? [] : [`password2 = ${obscure(password2)}`]),
    `filename_encryption = ${options.filename_encryption}`,
    `directory_name_encryption = ${String(options.directory_name_encryption)}`,
    `filename_encoding = ${options.filename_encoding}`,
    ...(options.suffix === usualNames.suffix ? [] : [`suffix = ${options.suffix === '' ? 'none' : options.suffix}`]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Makes a remote name that every rclone accepts: 1.60 allows only these characters, and no space or hyphen at either end. */
const remoteName = (text: string): string => text.replace(/[^\w .-]/g, '_').replace(/^[ -]|[ -]$/g, '_');

/**
 * Returns the section name of a vault, and its folder as a path on a remote named after the link. `path` begins with the name of the link:
 * `My NAS/Private/Letters` is `My NAS:Private/Letters`.
 */
export function remotesOf(vaultName: string, path: string): { readonly name: string; readonly remote: string; readonly storage: string } {
  const [linkName = '', ...names] = path.split('/').filter((name) => name !== '');
  const storage = remoteName(linkName);
  const name = remoteName(vaultName);
  return { name: name === storage ? `${name} vault` : name, remote: `${storage}:${names.join('/')}`, storage };
}

export interface CryptSection {
  readonly name: string;
  readonly remote: string;
  readonly passwords: Passwords;
  readonly options: NameOptions;
}

/** Reads the crypt remotes of a configuration; omits those whose passwords cannot be revealed. */
export function cryptSections(text: string): CryptSection[] {
  return text.split(/^[ \t]*\[/m).flatMap((part) => {
    const [head = '', ...lines] = part.split(/\r?\n/);
    const values = new Map(
      lines.flatMap((line) => {
        const found = /^\s*([^#;=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line);
        return found ? [[found[1] ?? '', found[2] ?? ''] as const] : [];
      }),
    );
    const password = revealPassword(values.get('password') ?? '');
    const password2 = values.get('password2') ? revealPassword(values.get('password2') ?? '') : '';
    const suffix = values.get('suffix') ?? usualNames.suffix;
    const options = {
      filename_encryption: values.get('filename_encryption') ?? usualNames.filename_encryption,
      directory_name_encryption: values.get('directory_name_encryption') !== 'false',
      filename_encoding: values.get('filename_encoding') ?? usualNames.filename_encoding,
      suffix: suffix === 'none' ? '' : suffix,
    };
    const isCrypt = values.get('type') === 'crypt' && password !== undefined && password !== '' && password2 !== undefined;
    if (!isCrypt || !isNameOptions(options)) return [];
    return [{ name: head.replace(/\].*$/, ''), remote: values.get('remote') ?? '', passwords: { password, password2 }, options }];
  });
}
