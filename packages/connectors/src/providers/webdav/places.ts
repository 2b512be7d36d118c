import { segmentsOf } from '../../kit/names/path.ts';
import type { WebdavConfig } from './config.ts';

/** Maps connector paths to server paths. */
export interface Places {
  /**
   * Returns the percent-encoded request path; a folder's ends with a slash (RFC 4918, section 5.2). Throws `badName` for a name that no URL
   * can contain.
   */
  address(path: string, kind: 'file' | 'folder'): string;
  /** Returns the URL for a `Destination` header. */
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
