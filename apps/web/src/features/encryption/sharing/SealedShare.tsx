import { Button } from '@mantine/core';
import { sealedIndexName } from '@sheaf/contract';
import { type ShareIndex, isShareSecret } from '@sheaf/vault';
import { IconDownload, IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { formatSize } from '#/lib/format.ts';
import { WordedError, errorText } from '#/lib/http/error-text.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import type { SealedShareProps } from '#/lib/sharing/sealed-share.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { askWorker } from '../crypt/client.ts';
import type { ReadOnlyFile, ReadOnlyFolder } from '../folder/read-only.ts';
import { Preview } from '../shown/Preview.tsx';
import { ReadOnlyRows } from '../shown/ReadOnlyRows.tsx';
import { addressIn, folderAt, saveFolder } from './shared-files.ts';
import classes from './sharing.module.css';

/** Returns the secret in the address; follows changes of the address. */
function useSecret(): string {
  const [secret, setSecret] = useState(() => location.hash.slice(1));
  useEffect(() => {
    const read = (): void => setSecret(location.hash.slice(1));
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  return secret;
}

/** Shows a share of vault items: names and contents are decrypted in the visitor's browser, with the key in the address. */
export function SealedShare({ weblinkId, viewOnly }: SealedShareProps) {
  const secret = useSecret();
  const isWhole = isShareSecret(secret);
  const { data, error, refetch } = useQuery({
    queryKey: ['sealed share', weblinkId, secret],
    queryFn: async () => {
      const index = await askWorker('openShare', { shareId: weblinkId, secret, address: addressIn(weblinkId, sealedIndexName, true) });
      if (!index) throw new WordedError('The key in this address does not open the share. Please ask for the whole address again.');
      return index;
    },
    enabled: isWhole,
    staleTime: Infinity,
    retry: false,
  });
  if (!isWhole)
    return (
      <EmptyState level={1} icon={<IconLock size={24} stroke={1.5} />} title="The key is missing">
        What is shared here is encrypted, and its key stands after # in the address. Please open the whole address, or ask for it again.
      </EmptyState>
    );
  if (error) return <ErrorState title="This cannot be shown" message={errorText(error)} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={8} height={40} tile={24} />;
  return <Opened weblinkId={weblinkId} secret={secret} index={data} viewOnly={viewOnly} />;
}

type OpenedProps = SealedShareProps & { secret: string; index: ShareIndex };

function Opened({ weblinkId, secret, index, viewOnly }: OpenedProps) {
  const { at } = useQueryParams();
  const [shown, setShown] = useState<ReadOnlyFile>();
  const folder = folderAt(weblinkId, index, at);
  const href = (to: ReadOnlyFolder | undefined): string => `${location.pathname}${to === undefined ? '' : `?at=${to.position}`}#${secret}`;
  const save = (): void =>
    void saveFolder(weblinkId, index, folder).catch((caught: unknown) => notifyError(`The zip could not be made. ${errorText(caught)}`));
  return (
    <div className={classes.page}>
      <header className={classes.title}>
        <FileIcon kind="folder" size={32} />
        <div>
          <h1>{folder.name}</h1>
          <p>
            {folder.folders.length + folder.files.length === 1 ? '1 item' : `${folder.folders.length + folder.files.length} items`},{' '}
            {formatSize(folder.size)}
          </p>
        </div>
        {!viewOnly && folder.size > 0 && (
          <Button variant="filled" leftSection={<IconDownload size={16} stroke={1.75} />} onClick={save}>
            Download all
          </Button>
        )}
      </header>
      <ReadOnlyRows folder={folder} hrefOf={href} viewOnly={viewOnly} onOpen={setShown} />
      <p className={classes.note}>
        <IconLock size={16} stroke={1.75} aria-hidden="true" />
        Decrypted in this browser. The server that sends it sees neither names nor contents.
      </p>
      {shown && (
        <Preview
          name={shown.name}
          file={shown.seen}
          judgeIt={async (file) => ({ file, saved: shown.saved, verdict: { kind: 'proven' } })}
          viewOnly={viewOnly}
          onClose={() => setShown(undefined)}
        />
      )}
    </div>
  );
}
