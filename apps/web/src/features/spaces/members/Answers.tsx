import { Button } from '@mantine/core';
import type { Space } from '@sheaf/contract';
import { useState } from 'react';
import { useAccept, useDecline } from '#/features/spaces/queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import { gateForm } from '#/ui/feedback/Gate.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';

type Props = {
  token: string;
  mayAccept: boolean;
  onAccepted: (space: Space) => void;
  onDeclined: () => void;
};

/** Accepts or declines an invitation; declining asks for confirmation and needs no account. */
export function Answers({ token, mayAccept, onAccepted, onDeclined }: Props) {
  const accept = useAccept();
  const decline = useDecline();
  const [isAsking, setAsking] = useState(false);
  const error = accept.error ?? decline.error;
  return (
    <div className={gateForm}>
      {error && <Notice kind="error">{errorText(error)}</Notice>}
      {mayAccept && (
        <Button
          variant="filled"
          loading={accept.isPending}
          onClick={() => accept.mutate({ token }, { onSuccess: ({ space }) => onAccepted(space) })}
        >
          Accept
        </Button>
      )}
      <Button variant="subtle" disabled={accept.isPending} onClick={() => setAsking(true)}>
        Decline
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Decline this invitation?"
          confirm="Decline"
          cancel="Not now"
          busy={decline.isPending}
          onConfirm={() => decline.mutate({ token }, { onSuccess: onDeclined, onSettled: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          You would have to be invited again.
        </ConfirmDialog>
      )}
    </div>
  );
}
