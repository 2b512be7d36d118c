import { Button } from '@mantine/core';
import type { Transfer } from '@sheaf/contract';
import { IconArrowBackUp, IconPlayerPause, IconPlayerPlay, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { type Act, useAct } from '#/features/transfers/queries.ts';
import { lastName, verbs } from '#/lib/transfers/words.ts';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';

const undoWords: Readonly<Record<Transfer['kind'], (to: string) => string>> = {
  copy: (to) => `The files that it made in ${to} are removed. What they replaced comes back, where the storage could keep it.`,
  move: (to) =>
    `The files that it moved to ${to} go back to where they were. What they replaced comes back, where the storage could keep it.`,
  mirror: (to) => `The files that it made in ${to} are removed. What it replaced or deleted comes back, as long as it is kept.`,
};

/** The buttons of a transfer, by its state; `small` in lists, whose rows say what they are about. */
export function Actions({ transfer, small = false }: { transfer: Transfer; small?: boolean }) {
  const { state, itemsFailed, canUndo, to, kind } = transfer;
  const act = useAct(transfer);
  const [asking, setAsking] = useState<'cancel' | 'undo'>();
  const run = (one: Act) => () => {
    setAsking(undefined);
    act.mutate(one);
  };
  const isBusy = (one: Act): boolean => act.isPending && act.variables === one;
  const shared = { size: small ? ('xs' as const) : ('md' as const), disabled: act.isPending };
  const isOpen = state === 'planning' || state === 'planned' || state === 'running' || state === 'paused' || state === 'waiting';
  return (
    <>
      {(state === 'running' || (state === 'waiting' && !small)) && (
        <Button {...shared} loading={isBusy('pause')} leftSection={<IconPlayerPause size={16} stroke={1.75} />} onClick={run('pause')}>
          Pause
        </Button>
      )}
      {(state === 'paused' || state === 'waiting') && (
        <Button {...shared} loading={isBusy('resume')} leftSection={<IconPlayerPlay size={16} stroke={1.75} />} onClick={run('resume')}>
          {state === 'paused' ? 'Resume' : 'Try now'}
        </Button>
      )}
      {!isOpen && itemsFailed > 0 && (
        <Button {...shared} loading={isBusy('retry')} leftSection={<IconRefresh size={16} stroke={1.75} />} onClick={run('retry')}>
          Retry failed
        </Button>
      )}
      {canUndo && !small && (
        <Button
          {...shared}
          loading={isBusy('undo')}
          leftSection={<IconArrowBackUp size={16} stroke={1.75} />}
          onClick={() => setAsking('undo')}
        >
          Undo
        </Button>
      )}
      {isOpen && (
        <Button {...shared} loading={isBusy('cancel')} onClick={() => (state === 'planned' ? run('cancel')() : setAsking('cancel'))}>
          Cancel
        </Button>
      )}
      {asking === 'cancel' && (
        <ConfirmDialog
          title="Cancel this transfer?"
          confirm="Cancel transfer"
          cancel="Keep going"
          onConfirm={run('cancel')}
          onClose={() => setAsking(undefined)}
        >
          What is complete stays where it is; the rest is not {verbs[kind].past}.
        </ConfirmDialog>
      )}
      {asking === 'undo' && (
        <ConfirmDialog
          title={`Undo this ${kind}?`}
          confirm="Undo"
          cancel="Keep it"
          onConfirm={run('undo')}
          onClose={() => setAsking(undefined)}
        >
          {undoWords[kind](lastName(to.path))} Files that have changed since then stay as they are.
        </ConfirmDialog>
      )}
    </>
  );
}
