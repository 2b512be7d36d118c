import { Button } from '@mantine/core';
import type { Item } from '@sheaf/contract';
import { IconDownload } from '@tabler/icons-react';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { formatModified, formatSize } from '#/lib/format.ts';
import { EmptyState } from '#/ui/feedback/StatePanel.tsx';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { downloadHref } from './download.ts';
import { Breadcrumb } from './navigation/Breadcrumb.tsx';
import { usePlaceHref } from './navigation/view.ts';
import classes from './browse.module.css';

/** Page of a file address: its details and preview. */
export function SingleFile({ names, file, ancestors }: { names: readonly string[]; file: Item; ancestors: readonly Item[] }) {
  const hrefOf = usePlaceHref();
  const facts = [
    ...(file.size === undefined ? [] : [formatSize(file.size)]),
    ...(file.modified === undefined ? [] : [formatModified(file.modified)]),
  ];
  return (
    <section className={classes.pane}>
      <Breadcrumb names={names} items={[...ancestors, file]} />
      <EmptyState
        icon={<FileIcon kind={fileKindOf(file)} size={26} />}
        title={file.name}
        actions={
          <>
            <Button
              variant="filled"
              component="a"
              href={downloadHref(file)}
              download={file.name}
              leftSection={<IconDownload size={16} stroke={1.75} />}
            >
              Download
            </Button>
            <Button component={PathLink} href={hrefOf(names.slice(0, -1))}>
              Show in folder
            </Button>
          </>
        }
      >
        {facts.join(', ')}
      </EmptyState>
    </section>
  );
}
