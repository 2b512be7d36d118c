import { Button } from '@mantine/core';
import { IconFolderUp, IconUpload } from '@tabler/icons-react';
import { type ChangeEvent, useEffect, useRef } from 'react';

/** Buttons to choose files, or a folder with all its contents. */
export function UploadButtons({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (folder.current) folder.current.webkitdirectory = true;
  }, []);
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    onFiles([...(currentTarget.files ?? [])]);
    currentTarget.value = '';
  };
  return (
    <>
      <Button variant="filled" leftSection={<IconUpload size={17} stroke={1.75} />} onClick={() => files.current?.click()}>
        Upload
      </Button>
      <Button leftSection={<IconFolderUp size={17} stroke={1.75} />} onClick={() => folder.current?.click()}>
        Upload folder
      </Button>
      <input ref={files} type="file" multiple hidden aria-label="Files to upload" onChange={take} />
      <input ref={folder} type="file" hidden aria-label="Folder to upload" onChange={take} />
    </>
  );
}
