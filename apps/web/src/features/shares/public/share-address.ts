import { weblinkPagePath } from '@sheaf/contract';

/** View of a shared folder. */
export type PublicView = 'list' | 'gallery';

/** A position in a share: the share, and a path below it separated by slashes; '' is the shared item itself. */
export interface ShareAddress {
  readonly weblinkId: string;
  readonly path: string;
  readonly view: PublicView;
}

/** The position that a path of this site names; undefined when it is malformed, or names another page. `/s/g` alone is a share of that name. */
export function parseShareAddress(pathname: string): ShareAddress | undefined {
  const [, gallery, splat = ''] = /^\/s\/(g\/(?=[^/]))?(.*)$/s.exec(pathname) ?? [];
  try {
    const [weblinkId, ...names] = splat
      .split('/')
      .filter((segment) => segment !== '')
      .map(decodeURIComponent);
    return weblinkId === undefined ? undefined : { weblinkId, path: names.join('/'), view: gallery === undefined ? 'list' : 'gallery' };
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** The address of a position; `file` names a file of that folder to open. */
export function shareHref({ weblinkId, path, view }: ShareAddress, file?: string): string {
  const names = path === '' ? [] : path.split('/');
  const folder = [weblinkPagePath(encodeURIComponent(weblinkId), view), ...names.map(encodeURIComponent)].join('/');
  return file === undefined ? folder : `${folder}?file=${encodeURIComponent(file)}`;
}

/** The folders from the share down to the path; `root` is the share's name. */
export function foldersDownTo(path: string, root: string): { readonly name: string; readonly path: string }[] {
  const names = path === '' ? [] : path.split('/');
  return [{ name: root, path: '' }, ...names.map((name, index) => ({ name, path: names.slice(0, index + 1).join('/') }))];
}
