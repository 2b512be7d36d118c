import { type Item, archive, download } from '@sheaf/contract';
import { withQuery } from '#/lib/http/form-body.ts';
import { startDownload } from '#/lib/http/start-downloads.ts';

/** Longest address in characters; servers and proxies refuse much longer ones. */
const longestHref = 6000;

/** Address of a file's bytes. */
export const downloadHref = ({ linkUri }: Pick<Item, 'linkUri'>): string => withQuery(download.path, { linkUri });

const zipHref = (items: readonly Pick<Item, 'linkUri'>[]): string =>
  withQuery(archive.path, { linkUri: items.map(({ linkUri }) => linkUri) });

/**
 * Addresses for downloading items together: each file on its own; with a folder among them all in one zip or, when one address cannot name them all,
 * each folder in its own zip.
 */
export function downloadHrefs(items: readonly Pick<Item, 'linkUri' | 'fileType'>[]): string[] {
  const isFolder = ({ fileType }: Pick<Item, 'fileType'>): boolean => fileType === 'FOLDER';
  if (!items.some(isFolder)) return items.map(downloadHref);
  const together = zipHref(items);
  return together.length <= longestHref ? [together] : items.map((item) => (isFolder(item) ? zipHref([item]) : downloadHref(item)));
}

/** Starts the browser's downloads one after the other; the server names the files. */
export function downloadItems(items: readonly Item[]): void {
  for (const href of downloadHrefs(items)) startDownload(href);
}
