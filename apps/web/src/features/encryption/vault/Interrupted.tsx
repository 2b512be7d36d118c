import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { tusRequests } from '#/lib/uploads/put-in-pieces.ts';
import { askWorker } from '../crypt/client.ts';
import type { Place } from '../folder/own-parts.ts';
import { forgetUpload, keptUpload, keptUploads } from '../sending/upload-notes.ts';
import classes from '../shown/vault.module.css';

interface Name {
  readonly sealed: string;
  readonly name: string;
}

/** Uploads into a folder that a reload interrupted; `running` is the number of active uploads of this page. */
export function useInterrupted({ vaultId, linkUri }: Place, running: number) {
  const { data, refetch } = useQuery({
    queryKey: ['vault', vaultId, 'interrupted', linkUri, running],
    queryFn: async (): Promise<readonly Name[]> => {
      const sealed = keptUploads(vaultId, linkUri);
      const names = await askWorker('openNames', { vaultId, names: sealed.map((name) => ({ name, isFolder: false })) });
      return sealed.flatMap((one, index) => {
        const name = names[index];
        return name === undefined ? [] : [{ sealed: one, name }];
      });
    },
    enabled: running === 0,
    staleTime: 0,
  });
  return { names: running === 0 ? (data ?? []) : [], reload: () => void refetch() };
}

type Props = { place: Place; names: readonly Name[]; onDropped: () => void };

/** Lists the uploads that can be resumed. The user must choose the files again: a page cannot reopen them by itself. */
export function Interrupted({ place: { vaultId, linkUri }, names, onDropped }: Props) {
  if (names.length === 0) return null;
  const drop = ({ sealed }: Name): void => {
    const place = { vaultId, parentLinkUri: linkUri, name: sealed };
    const kept = keptUpload(place);
    forgetUpload(place);
    if (kept) void tusRequests.end(kept.tusId).catch(() => undefined);
    onDropped();
  };
  return (
    <ul className={classes.uploads} aria-label="Interrupted uploads">
      {names.map((one) => (
        <li key={one.sealed} aria-label={one.name}>
          <b>{one.name}</b>
          <span>was interrupted. Upload the same file again to go on where it stopped.</span>
          <Button size="xs" variant="subtle" onClick={() => drop(one)}>
            Give up
          </Button>
        </li>
      ))}
    </ul>
  );
}
