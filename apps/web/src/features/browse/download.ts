import { type Item, archive, download } from '@sheaf/contract';
import { withQuery } from '#/lib/http/form-body.ts';

/** Longest address that is asked for, in characters; servers and proxies refuse much longer ones. */
const longestHref = 6000;

/** Where a file's bytes are. */
export const downloadHref = ({ linkUri }: Pick<Item, 'linkUri'>): string => withQuery(download.path, { linkUri });

const zipHref = (items: readonly Pick<Item, 'linkUri'>[]): string =>
  withQuery(archive.path, { linkUri: items.map(({ linkUri }) => linkUri) });

/**
 * Where items are that are downloaded together: files each by itself; with a folder among them all in one zip, or, when one address could not
 * name them all, each folder in a zip of its own.
 */
export function downloadHrefs(items: readonly Pick<Item, 'linkUri' | 'fileType'>[]): string[] {
  const isFolder = ({ fileType }: Pick<Item, 'fileType'>): boolean => fileType === 'FOLDER';
  if (!items.some(isFolder)) return items.map(downloadHref);
  const together = zipHref(items);
  return together.length <= longestHref ? [together] : items.map((item) => (isFolder(item) ? zipHref([item]) : downloadHref(item)));
}

/** Hands items to the browser's own downloads, one after the other; the server names them. */
export function downloadItems(items: readonly Item[]): void {
  for (const href of downloadHrefs(items)) {
    const anchor = document.createElement('a');
    anchor.href = href;
    anchor.download = '';
    document.body.append(anchor);
    anchor.click();
    anchor.remove();
  }
}
