import { encodeBelow, encodeStartFolder } from '../../kit/names/name-bytes.ts';
import { segmentsOf } from '../../kit/names/path.ts';

/**
 * Converts a connector path to the server's bytes: below the start folder, which is relative to the account's home unless it starts with
 * `/`. Throws `badName`.
 */
export type ServerPath = (path: string) => Buffer;

export function createServerPath(start: string): ServerPath {
  const base = start.replace(/^~(?=\/|$)/, '').replace(/\/+$/, '');
  const root = start.startsWith('/') ? base : `./${base.replace(/^\/+/, '')}`.replace(/\/$/, '');
  return (path) => {
    const bytes = Buffer.concat([encodeStartFolder(root), encodeBelow(segmentsOf(path))]);
    return bytes.length === 0 ? slash : bytes;
  };
}

/** Joins a folder and a name, both as the server wrote them. */
export const within = (folder: Buffer, name: Buffer): Buffer => Buffer.concat([folder, slash, name]);

const slash = Buffer.from('/');
