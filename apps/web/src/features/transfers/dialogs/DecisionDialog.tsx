import { Button } from '@mantine/core';
import { Decisions, StartButton } from '#/features/transfers/Decisions.tsx';
import { formatCount } from '#/features/transfers/figures.ts';
import { useAct, useTransfer } from '#/features/transfers/queries.ts';
import { leaveDecision } from '#/lib/transfers/decisions.ts';
import { itemsOf, lastName, verbs } from '#/lib/transfers/words.ts';
import { Dialog, DialogButtons } from '#/ui/dialog/Dialog.tsx';

/** Asks about taken names of a transfer that was begun here, before anything is copied. */
export function DecisionDialog({ transferId }: { transferId: string }) {
  const { transfer } = useTransfer(transferId);
  return transfer ? <Question key={transferId} transfer={transfer} /> : null;
}

type Props = { transfer: NonNullable<ReturnType<typeof useTransfer>['transfer']> };

function Question({ transfer }: Props) {
  const { transferId, kind, to, problems } = transfer;
  const act = useAct(transfer);
  return (
    <Dialog
      wide="sheet"
      title={problems === 1 ? '1 decision' : `${formatCount(problems)} decisions`}
      sentence={`${verbs[kind].now} ${itemsOf(transfer)} to ${lastName(to.path)}. Nothing has been ${verbs[kind].past} yet.`}
      busy={act.isPending}
      onClose={() => leaveDecision(transferId)}
    >
      <Decisions transfer={transfer} inDialog />
      <DialogButtons>
        <Button variant="subtle" disabled={act.isPending} onClick={() => act.mutate('cancel')}>
          Cancel transfer
        </Button>
        <StartButton transfer={transfer} act={act} />
      </DialogButtons>
    </Dialog>
  );
}
