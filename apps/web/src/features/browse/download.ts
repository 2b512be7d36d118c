import { type Item, download } from '@sheaf/contract';
import { withQuery } from '#/lib/form-body.ts';

/** Where a file's bytes are. */
export const downloadHref = ({ linkUri }: Item): string => withQuery(download.path, { linkUri });

/** Hands files to the browser's own downloads, one after the other. */
export function downloadFiles(files: readonly Item[]): void {
  for (const file of files) {
    const anchor = document.createElement('a');
    anchor.href = downloadHref(file);
    anchor.download = file.name;
    document.body.append(anchor);
    anchor.click();
    anchor.remove();
  }
}
