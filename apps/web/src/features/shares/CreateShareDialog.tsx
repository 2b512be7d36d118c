import { Button, PasswordInput } from '@mantine/core';
import { IconClock, IconLock, IconWorld } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyField } from '#/ui/CopyField.tsx';
import { Dialog, DialogButtons, DialogFields } from '#/ui/Dialog.tsx';
import { Notice } from '#/ui/Notice.tsx';
import { createErrorText } from './create-error.ts';
import { expirationWords } from './expiration-words.ts';
import { ExpirationField } from './ExpirationField.tsx';
import { useCreateShare, useReloadShares } from './queries.ts';
import { type ShareDraft, creationOf, draftOf, newShare } from './share-link.ts';
import { SharedItem } from './SharedItem.tsx';
import classes from './shares.module.css';

type Props = {
  /** Names that lead to the item, parted by slashes. */
  path: string;
  /** Empty while it is not known; then nothing can be shared. */
  linkUri: string;
  isFolder: boolean;
  onClose: () => void;
};

/** Shares an item: asks for a password and an end, then hands out the address. */
export function CreateShareDialog({ path, linkUri, isFolder, onClose }: Props) {
  const share = newShare(path, linkUri);
  const [draft, setDraft] = useState<ShareDraft>(draftOf(share));
  const create = useCreateShare();
  const reload = useReloadShares();
  const payload = creationOf(share, draft);
  const url = create.data?.sharelinkurl;

  const change = (part: Partial<ShareDraft>): void => {
    setDraft((now) => ({ ...now, ...part }));
    create.reset();
  };
  const submit = (): void => {
    if (payload && !create.isPending) create.mutate(payload);
  };
  const close = (): void => {
    if (create.isSuccess) reload();
    onClose();
  };

  return (
    <Dialog title="Create Share Link" onClose={close} busy={create.isPending}>
      {url === undefined ? (
        <form action={submit}>
          <DialogFields>
            <SharedItem path={path} isFolder={isFolder} />
            <PasswordInput
              label={
                <>
                  Password <span className={classes.optional}>optional</span>
                </>
              }
              placeholder="Anyone with the link can open it"
              autoComplete="new-password"
              data-autofocus
              value={draft.password ?? ''}
              onChange={(event) => change({ password: event.currentTarget.value })}
            />
            <ExpirationField index={draft.expirationIndex} onIndex={(expirationIndex) => change({ expirationIndex })} />
          </DialogFields>
          {create.error && (
            <Notice kind="error" inDialog>
              {createErrorText(create.error)}
            </Notice>
          )}
          {linkUri === '' && (
            <Notice kind="note" inDialog>
              Open the folder of the item and choose Share in its menu.
            </Notice>
          )}
          <DialogButtons>
            <Button variant="subtle" onClick={close} disabled={create.isPending}>
              Cancel
            </Button>
            <Button type="submit" variant="filled" disabled={!payload} loading={create.isPending}>
              Share
            </Button>
          </DialogButtons>
        </form>
      ) : (
        <>
          <DialogFields>
            <SharedItem path={path} isFolder={isFolder} />
            <CopyField label="SHARE THIS" text={url} />
            <ul className={classes.facts}>
              <li>
                {draft.password ? <IconLock size={16} stroke={1.75} /> : <IconWorld size={16} stroke={1.75} />}
                {draft.password ? 'Protected by a password' : 'No password'}
              </li>
              <li>
                <IconClock size={16} stroke={1.75} />
                {expirationWords(payload?.expirationSeconds ?? 0, create.submittedAt)}
              </li>
            </ul>
          </DialogFields>
          <DialogButtons>
            <Button variant="filled" onClick={close}>
              FINISHED
            </Button>
          </DialogButtons>
        </>
      )}
    </Dialog>
  );
}
