import type { Upload } from '../../lib/uploads/uploads.ts';

/** A line of the drawer: one file, or the files of one folder that were chosen together. */
export type Line = { readonly upload: Upload } | { readonly name: string; readonly uploads: readonly Upload[] };

/** Groups the files of each uploaded folder into one line, in the order of their first files; a folder of one file is shown as the file. */
export function linesOf(uploads: readonly Upload[]): Line[] {
  const groups = Map.groupBy(uploads, ({ id, batch, folder }) => (folder === undefined ? `file ${id}` : `${batch} ${folder}`));
  return [...groups.values()].map((members): Line => {
    const [first] = members;
    return first && members.length === 1 ? { upload: first } : { name: first?.folder ?? '', uploads: members };
  });
}
