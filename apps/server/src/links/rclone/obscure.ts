import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** The key built into every rclone: fs/config/obscure/obscure.go of https://github.com/rclone/rclone. It obfuscates, but does not protect. */
const key = Buffer.from('9c935b48730a554d6bfd7c63c886a92bd390198eb8128afbf4de162b8b95f638', 'hex');
const cipherName = 'aes-256-ctr';
const ivLength = 16;

/** Obscures a password as rclone does in its configuration. */
export function obscure(password: string): string {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv(cipherName, key, iv);
  return Buffer.concat([iv, cipher.update(password, 'utf8'), cipher.final()]).toString('base64url');
}

/** The password, or undefined for text that rclone did not write. */
export function reveal(obscured: string): string | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(obscured)) return undefined;
  const bytes = Buffer.from(obscured, 'base64url');
  if (bytes.length < ivLength) return undefined;
  const decipher = createDecipheriv(cipherName, key, bytes.subarray(0, ivLength));
  const plain = Buffer.concat([decipher.update(bytes.subarray(ivLength)), decipher.final()]);
  const password = plain.toString('utf8');
  return Buffer.from(password, 'utf8').equals(plain) ? password : undefined;
}
