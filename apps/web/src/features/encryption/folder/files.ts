import { download } from '@sheaf/contract';
import { withQuery } from '#/lib/http/form-body.ts';
import type { VaultFile } from '../crypt/streams.ts';
import type { ClearItem } from './listing.ts';

const types: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/mp4',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  txt: 'text/plain',
  md: 'text/plain',
  csv: 'text/plain',
  json: 'text/plain',
  log: 'text/plain',
};

export const mimeTypeOf = (name: string): string =>
  types[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';

/** Address of the encrypted bytes of a file. */
export const addressOf = (linkUri: string): string => withQuery(download.path, { linkUri });

/** Returns what is needed to read a file of the vault; undefined for folders, and for files whose size no encrypted file has. */
export function fileOf(vaultId: string, { item, name, size, isFolder }: ClearItem): VaultFile | undefined {
  if (isFolder || size === undefined || item.size === undefined) return undefined;
  return { vaultId, address: addressOf(item.linkUri), name, sealedSize: item.size, size, mimeType: mimeTypeOf(name) };
}
