import { useEffect, useRef, useState } from 'react';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import type { VaultFile } from '../crypt/streams.ts';
import { isPicture, thumbnailOf } from '../folder/thumbnails.ts';
import classes from './vault.module.css';

type Props = {
  name: string;
  /** Undefined for a folder, or a file that cannot be read. */
  file: VaultFile | undefined;
  isFolder?: boolean;
  /** Changes with the content. */
  stamp: string;
};

/** Icon of an item; for a picture in view, a thumbnail generated in this browser. */
export function Thumbnail({ name, file, isFolder = false, stamp }: Props) {
  const [address, setAddress] = useState<string>();
  const place = useRef<HTMLElement>(null);
  const key = file && isPicture(file) ? `${file.address} ${stamp}` : undefined;
  useEffect(() => {
    const seen = place.current;
    if (key === undefined || !seen || !file) return undefined;
    let isOver = false;
    const watch = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      watch.disconnect();
      void thumbnailOf(file, stamp).then((made) => isOver || setAddress(made));
    });
    watch.observe(seen);
    return () => {
      isOver = true;
      watch.disconnect();
      setAddress(undefined);
    };
    // The file is a new object at each render; `key` says whether it is another file.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);
  return (
    <i ref={place} className={classes.thumbnail}>
      {address === undefined ? (
        <FileIcon kind={fileKindOf({ name, fileType: isFolder ? 'FOLDER' : 'FILE' })} />
      ) : (
        <img src={address} alt="" data-thumbnail />
      )}
    </i>
  );
}
