import type { Previewed } from '#/lib/files/previewing.ts';
import { formatModified, formatSize } from '#/lib/format.ts';
import classes from './Preview.module.css';

type Props = { file: Previewed; folder: string; dimensions: string | undefined };

/** Details of the file. */
export function InfoPanel({ file, folder, dimensions }: Props) {
  const facts = [
    ['Name', file.name],
    ['Kind', file.mimeType],
    ['Size', file.size === undefined ? undefined : formatSize(file.size)],
    ['Dimensions', dimensions],
    ['Modified', file.modified === undefined ? undefined : formatModified(file.modified)],
    ['Folder', folder],
  ] as const;
  return (
    <aside className={classes.info} aria-label="Info">
      <h2>Info</h2>
      <dl>
        {facts.map(
          ([title, fact]) =>
            fact !== undefined && (
              <div key={title}>
                <dt>{title}</dt>
                <dd>{fact}</dd>
              </div>
            ),
        )}
      </dl>
    </aside>
  );
}
