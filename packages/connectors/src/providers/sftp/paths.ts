import { ConnectorError } from '../../core/error.ts';
import { encodeName } from '../../kit/name-bytes.ts';
import { segmentsOf } from '../../kit/path.ts';

/** The server's bytes for a connector path: below the start folder, which is relative to the account's home unless it begins with `/`. Throws `badName`. */
export type ServerPath = (path: string) => Buffer;

export function createServerPath(start: string): ServerPath {
  const base = start.replace(/^~(?=\/|$)/, '').replace(/\/+$/, '');
  const root = start.startsWith('/') ? base : `./${base.replace(/^\/+/, '')}`.replace(/\/$/, '');
  return (path) => {
    const segments = segmentsOf(path);
    for (const segment of segments)
      if (segment === '.' || segment === '..' || segment.includes('\0'))
        throw new ConnectorError('badName', 'no server can hold such a name');
    const below = segments.map((segment) => `/${segment}`).join('');
    return encodeName(root + below || '/');
  };
}

/** The server's bytes for a name in a folder, both as the server wrote them. */
export const within = (folder: Buffer, name: Buffer): Buffer => Buffer.concat([folder, Buffer.from('/'), name]);
