import { Button, PasswordInput } from '@mantine/core';
import { type Weblink, hasPasswordPlaceholder } from '@sheaf/contract';
import { useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { ExpirationField } from './ExpirationField.tsx';
import { useReloadShares, useUpdateShare } from './queries.ts';
import { type ShareDraft, changeOf, draftOf, expiryOf, isComplete, shareOf } from './share-link.ts';
import { ShareChoices } from './ShareChoices.tsx';
import { ShareCode } from './ShareCode.tsx';
import { SharedItem } from './SharedItem.tsx';
import classes from './shares.module.css';

/** Changes a share's password and expiration. */
export function EditShareDialog({ weblink, onClose }: { weblink: Weblink; onClose: () => void }) {
  const share = shareOf(weblink);
  const [draft, setDraft] = useState<ShareDraft>(draftOf(share));
  const update = useUpdateShare();
  const reload = useReloadShares();
  const expiry = expiryOf(weblink);
  const [openedAt] = useState(Date.now);
  const hasExpired = expiry !== undefined && expiry * 1000 <= openedAt;
  const isTakenAway = share.hasPassword && draft.password === '';

  const isReady = isComplete(draft, openedAt) || (draft.endsAt === share.endsAt && !hasExpired);

  const change = (part: Partial<ShareDraft>): void => {
    setDraft((now) => ({ ...now, ...part }));
    update.reset();
  };
  const submit = (): void => {
    if (update.isPending || !isReady) return;
    update.mutate(changeOf(share, draft, weblink.expirationSeconds), {
      onSuccess: () => {
        reload();
        onClose();
      },
    });
  };

  return (
    <Dialog title={share.name} onClose={onClose} busy={update.isPending}>
      <form action={submit}>
        <DialogFields>
          <SharedItem path={share.sourceFilePath} isFolder={weblink.isFolder} />
          <div className={classes.password}>
            <PasswordInput
              label="Password"
              placeholder={share.hasPassword && !isTakenAway ? hasPasswordPlaceholder : 'Anyone with the link can open it'}
              autoComplete="new-password"
              data-autofocus
              value={draft.password ?? ''}
              description={isTakenAway ? 'The password will be removed.' : undefined}
              onChange={(event) => change({ password: event.currentTarget.value })}
            />
            {share.hasPassword && !isTakenAway && (
              <button type="button" className={classes.remove} onClick={() => change({ password: '' })}>
                Remove password
              </button>
            )}
          </div>
          <ExpirationField
            index={draft.expirationIndex}
            onIndex={(expirationIndex) => change({ expirationIndex })}
            disabled={draft.endsAt !== undefined}
          />
          {hasExpired && <Notice kind="note">This link has expired. Saving opens it again, for the expiration you choose.</Notice>}
          <ShareChoices draft={draft} onChange={change} />
          {weblink.sealed === undefined ? (
            <ShareCode url={share.url} />
          ) : (
            <p>Its whole address, with the key, is shown in the open vault under “Shared from this vault”.</p>
          )}
        </DialogFields>
        {update.error && (
          <Notice kind="error" inDialog>
            {errorText(update.error)}
          </Notice>
        )}
        <DialogButtons>
          <Button variant="subtle" onClick={onClose} disabled={update.isPending}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" disabled={!isReady} loading={update.isPending}>
            Save Changes
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
