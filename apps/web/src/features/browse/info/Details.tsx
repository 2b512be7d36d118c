import type { Item } from '@sheaf/contract';
import type { ReactNode } from 'react';
import { fileKindOf, typeOf } from '#/lib/files/file-kind.ts';
import { formatSize } from '#/lib/format.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { FilePicture } from '#/ui/FilePicture.tsx';
import classes from './info.module.css';

/** Device pixels of the picture. */
const pictureSize = 512;

/** Facts of an item. */
export function Details({ item, folderPath }: { item: Item; folderPath: readonly string[] }) {
  const { name, mimeType, size, modified, fileType, thumbnailUrl } = item;
  const isFolder = fileType === 'FOLDER';
  const facts: readonly (readonly [title: string, fact: ReactNode])[] = [
    ['Kind', isFolder ? (folderPath.length === 0 ? 'Link' : 'Folder') : [typeOf(item), mimeType].filter(Boolean).join(', ')],
    ['Size', size === undefined ? undefined : sizeWords(size)],
    [
      'Modified',
      modified === undefined ? undefined : new Date(modified * 1000).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
    ],
    ['Where', folderPath.length === 0 ? undefined : folderPath.join(' / ')],
  ];
  return (
    <>
      {thumbnailUrl !== undefined && (
        <div className={classes.picture}>
          <FilePicture
            thumbnailUrl={thumbnailUrl}
            size={pictureSize}
            isEager
            instead={<FileIcon kind={fileKindOf({ name, fileType, mimeType })} size={44} />}
          />
        </div>
      )}
      <dl className={classes.facts}>
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
    </>
  );
}

const sizeWords = (size: number): string => (size < 1024 ? formatSize(size) : `${formatSize(size)} (${size.toLocaleString()} bytes)`);
