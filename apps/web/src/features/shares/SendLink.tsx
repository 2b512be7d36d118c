import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { hasShareSheet, sendLink } from '#/lib/sharing/share-sheet.ts';

/** Passes the address of a share on through the share sheet of the system; nothing where there is none. */
export function SendLink({ url, path }: { url: string; path: string }) {
  if (!hasShareSheet()) return undefined;
  const name = path.split('/').at(-1) ?? '';
  return (
    <Button leftSection={<IconSend size={16} stroke={1.75} />} onClick={() => void sendLink(url, name)}>
      Send to…
    </Button>
  );
}
