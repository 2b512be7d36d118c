import { segmentsOf } from '../../kit/names/path.ts';
import type { WebdavConfig } from './config.ts';

/** Where a connector's paths are at the server. */
export interface Places {
  /** The path to request, percent-encoded; a folder's ends with a slash (RFC 4918, section 5.2). Throws `badName` for a name that no address can hold. */
  address(path: string, kind: 'file' | 'folder'): string;
  /** The address to name in a `Destination` header. */
  destination(path: string, kind: 'file' | 'folder'): string;
}

export function createPlaces({ base, destination }: WebdavConfig): Places {
  const below = (root: string, path: string, kind: 'file' | 'folder'): string => {
    const encoded =
      root +
      segmentsOf(path)
        .map((segment) => `/${encodeURIComponent(segment)}`)
        .join('');
    return kind === 'folder' ? `${encoded}/` : encoded;
  };
  return {
    address: (path, kind) => below(base, path, kind) || '/',
    destination: (path, kind) => below(destination, path, kind),
  };
}
