import { Button } from '@mantine/core';
import type { CopyKind } from '@sheaf/contract';
import { IconFolder } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { type ClearItem, clearFolder } from '../folder/listing.ts';
import type { Place } from '../folder/own-parts.ts';
import classes from '../shown/vault.module.css';

type Props = {
  kind: CopyKind;
  items: readonly ClearItem[];
  /** Parent folder of the items. */
  from: Place;
  vaultName: string;
  onChoose: (to: Place) => Promise<void>;
  onClose: () => void;
};

/** Chooses a folder of the vault to move or copy items to. */
export function TargetDialog({ kind, items, from, vaultName, onChoose, onClose }: Props) {
  const { vaultId, rootUri } = from;
  const [linkUri, setLinkUri] = useState(rootUri);
  const { data, error } = useQuery({ ...clearFolder(vaultId, rootUri, linkUri), staleTime: 60_000 });
  const work = useMutation({ mutationFn: () => onChoose({ ...from, linkUri }), onSuccess: onClose });
  const moved = new Set(items.map(({ item }) => item.linkUri));
  const folders = data?.items.filter(({ isFolder, item }) => isFolder && !moved.has(item.linkUri)) ?? [];
  const segments = linkUri.slice(rootUri.length).split('/').slice(1);
  const verb = kind === 'move' ? 'Move' : 'Copy';
  const what = items.length === 1 ? items[0]?.name : `${items.length} items`;
  const go = (uri: string): void => {
    work.reset();
    setLinkUri(uri);
  };
  return (
    <Dialog
      title={`${verb} ${what}`}
      sentence="Within this vault. The storage does it; nothing is decrypted."
      onClose={onClose}
      busy={work.isPending}
      wide
    >
      <DialogFields>
        <div className={classes.path}>
          {[vaultName, ...(data?.path ?? [])].map((name, index) => (
            <button
              key={segments.slice(0, index).join('/')}
              type="button"
              className={classes.step}
              disabled={work.isPending}
              onClick={() => go([rootUri, ...segments.slice(0, index)].join('/'))}
            >
              {name}
            </button>
          ))}
        </div>
        {!data && !error && <SkeletonRows count={3} />}
        {data && folders.length === 0 && <p>There is no other folder in this one.</p>}
        {folders.length > 0 && (
          <ul className={classes.targets} aria-label="Folders">
            {folders.map(({ name, item }) => (
              <li key={item.linkUri}>
                <button type="button" className={classes.name} disabled={work.isPending} onClick={() => go(item.linkUri)}>
                  <IconFolder size={18} stroke={1.75} aria-hidden="true" />
                  <span>{name}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
        {(error ?? work.error) && <Notice kind="error">{errorText(error ?? work.error)}</Notice>}
      </DialogFields>
      <DialogButtons>
        <Button onClick={onClose} disabled={work.isPending}>
          Cancel
        </Button>
        <Button
          variant="filled"
          loading={work.isPending}
          disabled={!data || (kind === 'move' && linkUri === from.linkUri)}
          onClick={() => work.mutate()}
        >
          {verb} here
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
