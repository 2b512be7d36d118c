import { Button } from '@mantine/core';
import type { Weblink } from '@sheaf/contract';
import { IconClock, IconLock, IconWorld } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { shareList } from '#/lib/sharing/shares.ts';
import { CopyField } from '#/ui/CopyField.tsx';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { DialogWait } from '#/ui/dialog/DialogWait.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { createErrorText } from './create-error.ts';
import { expirationWords, formatMoment } from './expiration-words.ts';
import { useCreateShare, useReloadShares } from './queries.ts';
import { SendLink } from './SendLink.tsx';
import { type ShareDraft, creationOf, draftOf, isComplete, newShare } from './share-link.ts';
import { ShareCode } from './ShareCode.tsx';
import { SharedItem } from './SharedItem.tsx';
import { ShareFields } from './ShareFields.tsx';
import classes from './shares.module.css';

type Props = {
  /** Path of the item, separated by slashes. */
  path: string;
  /** Empty while unknown; then nothing can be shared. */
  linkUri: string;
  /** Addresses of further items of the same share. */
  more?: readonly string[] | undefined;
  isFolder: boolean;
  onClose: () => void;
};

/** Shares an item, or several in one link. For a shared item it shows the existing links first, so that nobody creates a second one unintentionally. */
export function CreateShareDialog(props: Props) {
  const { path, linkUri, more = [], isFolder, onClose } = props;
  const { data: shares, error, isFetching } = useQuery({ ...shareList, enabled: linkUri !== '' });
  const [isAnother, setAnother] = useState(false);
  // A share created in this dialog must not turn it into the list of links.
  const [known, setKnown] = useState<readonly Weblink[]>();
  // A list from before may lack the share that was created a moment ago, here or elsewhere.
  if (known === undefined && shares && !isFetching)
    setKnown(shares.filter((share) => share.linkUri === linkUri && share.itemCount === undefined && !isOver(share)));
  if (known === undefined && isFetching && !error) {
    return (
      <Dialog title="Create Share Link" onClose={onClose}>
        <DialogWait failure="" rows={2} height={40} />
      </Dialog>
    );
  }
  if (isAnother || more.length > 0 || known === undefined || known.length === 0) return <ShareForm {...props} />;
  return (
    <Dialog title="This item is shared" onClose={onClose}>
      <DialogFields>
        <SharedItem path={path} isFolder={isFolder} />
        {known.map((share) => (
          <ExistingShare key={share.weblinkId} share={share} path={path} />
        ))}
      </DialogFields>
      <DialogButtons>
        <Button variant="subtle" onClick={() => setAnother(true)}>
          Create another link
        </Button>
        <Button variant="filled" onClick={onClose} data-autofocus>
          Done
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

const isOver = ({ expirationTimeStamp }: Weblink): boolean => expirationTimeStamp !== undefined && expirationTimeStamp * 1000 <= Date.now();

function ExistingShare({ share: { sharelinkurl, hasPassword, expirationTimeStamp }, path }: { share: Weblink; path: string }) {
  return (
    <>
      <CopyField label="SHARE THIS" text={sharelinkurl} />
      <SendLink url={sharelinkurl} path={path} />
      <ShareFacts hasPassword={hasPassword}>
        {expirationTimeStamp === undefined ? expirationWords(0, 0) : `Expires ${formatMoment(expirationTimeStamp)}`}
      </ShareFacts>
      <ShareCode url={sharelinkurl} />
    </>
  );
}

function ShareFacts({ hasPassword, children }: { hasPassword: boolean; children: ReactNode }) {
  return (
    <ul className={classes.facts}>
      <li>
        {hasPassword ? <IconLock size={16} stroke={1.75} /> : <IconWorld size={16} stroke={1.75} />}
        {hasPassword ? 'Protected by a password' : 'No password'}
      </li>
      <li>
        <IconClock size={16} stroke={1.75} />
        {children}
      </li>
    </ul>
  );
}

/** Asks for password and expiration, then shows the address. */
function ShareForm({ path, linkUri, more = [], isFolder, onClose }: Props) {
  const share = newShare(path, linkUri);
  const [draft, setDraft] = useState<ShareDraft>(draftOf(share));
  const [openedAt] = useState(Date.now);
  const create = useCreateShare();
  const reload = useReloadShares();
  const payload = creationOf(share, draft);
  const url = create.data?.sharelinkurl;

  const change = (part: Partial<ShareDraft>): void => {
    setDraft((now) => ({ ...now, ...part }));
    create.reset();
  };
  const submit = (): void => {
    if (payload && isComplete(draft, openedAt) && !create.isPending)
      create.mutate({ ...payload, ...(more.length > 0 && { more: [...more] }) });
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
            <SharedItem path={path} isFolder={isFolder} others={more.length} />
            <ShareFields draft={draft} canTakeUploads={isFolder && more.length === 0} onChange={change} />
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
            <Button type="submit" variant="filled" disabled={!payload || !isComplete(draft, openedAt)} loading={create.isPending}>
              Share
            </Button>
          </DialogButtons>
        </form>
      ) : (
        <>
          <DialogFields>
            <SharedItem path={path} isFolder={isFolder} others={more.length} />
            <CopyField label="SHARE THIS" text={url} />
            <SendLink url={url} path={path} />
            <ShareFacts hasPassword={Boolean(draft.password)}>
              {payload?.endsAt === undefined
                ? expirationWords(payload?.expirationSeconds ?? 0, create.submittedAt)
                : `Expires ${formatMoment(payload.endsAt)}`}
            </ShareFacts>
            <ShareCode url={url} />
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
