import { weblinkPagePath } from '@sheaf/contract';

/** How a shared folder is shown. */
export type PublicView = 'list' | 'gallery';

/** A place in a share: the share, and names below it parted by slashes; '' is what is shared itself. */
export interface PublicPlace {
  readonly weblinkId: string;
  readonly path: string;
  readonly view: PublicView;
}

/** The place that the still encoded rest of a public address names; undefined when it is not well-formed. */
export function placeOf(splat: string, view: PublicView): PublicPlace | undefined {
  try {
    const [weblinkId, ...names] = splat
      .split('/')
      .filter((segment) => segment !== '')
      .map(decodeURIComponent);
    return weblinkId === undefined ? undefined : { weblinkId, path: names.join('/'), view };
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** The address of a place; `file` names a file of that folder to be looked at. */
export function placeHref({ weblinkId, path, view }: PublicPlace, file?: string): string {
  const names = path === '' ? [] : path.split('/');
  const folder = [weblinkPagePath(encodeURIComponent(weblinkId), view), ...names.map(encodeURIComponent)].join('/');
  return file === undefined ? folder : `${folder}?file=${encodeURIComponent(file)}`;
}

/** The folders from the share down to the path, each with its name; `root` is the share's own. */
export function foldersDownTo(path: string, root: string): { readonly name: string; readonly path: string }[] {
  const names = path === '' ? [] : path.split('/');
  return [{ name: root, path: '' }, ...names.map((name, index) => ({ name, path: names.slice(0, index + 1).join('/') }))];
}
