import { Button } from '@mantine/core';
import type { LinkKnowledge } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { Dialog, DialogButtons } from '#/ui/dialog/Dialog.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Switch } from '#/ui/Switch.tsx';
import { linkKnowledge, useKeepSearchable } from './queries.ts';
import { folderCount, keptText } from './words.ts';
import classes from './usage.module.css';

/** Whether Sheaf reads the folders of a link by itself, with a switch for people who may decide that. */
export function Searchable({ userLinkId }: { userLinkId: string }) {
  const { data, error, refetch } = useQuery(linkKnowledge(userLinkId));
  const keep = useKeepSearchable(userLinkId);
  const [isAsking, setAsking] = useState(false);
  const change = (isKept: boolean, forget = false): void => keep.mutate({ isKept, forget }, { onSettled: () => setAsking(false) });
  if (error && !data)
    return <ErrorState title="What Sheaf knows could not be shown" message={errorText(error)} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={1} height={56} />;
  return (
    <section className={classes.searchable} aria-label="Search">
      {data.mayChange && data.isAllowed && (
        <Switch
          label="Keep this link searchable"
          checked={data.isKept}
          disabled={keep.isPending}
          onChange={(isKept) => (isKept || data.foldersUnopened === 0 ? change(isKept) : setAsking(true))}
        />
      )}
      <p>{keptText(data)}</p>
      {isAsking && (
        <Asking knowledge={data} isBusy={keep.isPending} onAnswer={(forget) => change(false, forget)} onClose={() => setAsking(false)} />
      )}
    </section>
  );
}

type AskingProps = { knowledge: LinkKnowledge; isBusy: boolean; onAnswer: (forget: boolean) => void; onClose: () => void };

/** Asks whether to forget the folders that only Sheaf has read. */
function Asking({ knowledge: { foldersUnopened }, isBusy, onAnswer, onClose }: AskingProps) {
  return (
    <Dialog
      title="Stop looking into this link?"
      sentence={`Sheaf knows ${folderCount(foldersUnopened)} here that nobody has opened. The search finds what is in ${foldersUnopened === 1 ? 'it' : 'them'} until you forget ${foldersUnopened === 1 ? 'it' : 'them'}.`}
      onClose={onClose}
      busy={isBusy}
    >
      <DialogButtons>
        <Button onClick={onClose} disabled={isBusy}>
          Cancel
        </Button>
        <Button onClick={() => onAnswer(true)} disabled={isBusy}>
          Stop and forget
        </Button>
        <Button variant="primary" onClick={() => onAnswer(false)} disabled={isBusy} data-autofocus>
          Stop only
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
