import { Button, NativeSelect } from '@mantine/core';
import { type CopyKind, type TransferConflictRule, type TransferKind, planTransfer, transferConflictRules } from '@sheaf/contract';
import { IconEqualNot } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { itemsText } from '#/features/transfers/figures.ts';
import { ruleWords } from '#/features/transfers/plan-words.ts';
import { ScheduleDialog } from '#/features/transfers/schedules/ScheduleDialog.tsx';
import { ownTimezone } from '#/features/transfers/schedules/times.ts';
import type { ChosenTarget, TargetPickerProps } from '#/lib/files/folder-choice.ts';
import { formatSize } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { useSession } from '#/lib/session/session.ts';
import { type RunOptions, beginTransfer, checkCount } from '#/lib/transfers/begin.ts';
import { dropKind } from '#/lib/transfers/drop-kind.ts';
import { recentTargets } from '#/lib/transfers/page-clipboard.ts';
import type { TransferRequest } from '#/lib/transfers/request.ts';
import { Dialog } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { useGo } from '#/ui/PathLink.tsx';
import { MoreOptions } from './MoreOptions.tsx';
import classes from './TargetDialog.module.css';

type Props = { request: TransferRequest; Picker: ComponentType<TargetPickerProps>; onClose: () => void };

/** Cron text that a new backup begins with. */
const nightly = '30 2 * * *';

const verbs = { copy: 'Copy', move: 'Move', mirror: 'Back up' } as const;

/** "Copy to", "Move to" and "Back up": chooses the target folder in any link, and begins the transfer, opens its plan, or sets the times of a backup. */
export function TargetDialog({ request: { kind, items, from }, Picker, onClose }: Props) {
  const account = useSession()?.loginAccount ?? '';
  const [recent] = useState(() => recentTargets.of(account));
  const [target, setTarget] = useState<ChosenTarget>();
  const [conflict, setConflict] = useState<TransferConflictRule>('fail');
  const [options, setOptions] = useState<RunOptions>({});
  const [isScheduling, setScheduling] = useState(false);
  const go = useGo();
  const linkUris = items.map(({ linkUri }) => linkUri);
  const bytes = items.reduce((sum, { size = 0 }) => sum + size, 0);
  const [only] = items;
  const what = items.length === 1 && only ? only.name : itemsText(items.length);

  const begin = useMutation({
    mutationFn: ({ parentLinkUri, as }: { parentLinkUri: string; as: CopyKind }) =>
      beginTransfer({ kind: as, linkUris, parentLinkUri, conflict, options }),
    onSuccess: (_, { parentLinkUri }) => {
      recentTargets.add(account, parentLinkUri);
      onClose();
    },
  });
  const plan = useMutation({
    mutationFn: async (parentLinkUri: string) => {
      checkCount(linkUris);
      return send(planTransfer, { kind, linkUri: linkUris, parentLinkUri, conflict, ...options });
    },
    onSuccess: ({ transferId }, parentLinkUri) => {
      recentTargets.add(account, parentLinkUri);
      onClose();
      go(`/transfers/${transferId}`);
    },
  });
  const isBusy = begin.isPending || plan.isPending;
  const error = begin.error ?? plan.error;
  const isRefused = target !== undefined && refusal({ kind, linkUris, target }) !== undefined;
  const canBegin = target?.canWrite === true && !isRefused && !isBusy;

  const start = (): void => {
    if (kind === 'mirror') setScheduling(true);
    else if (target) begin.mutate({ parentLinkUri: target.linkUri, as: kind });
  };

  if (isScheduling && target)
    return (
      <ScheduleDialog
        title={`Back up ${what}`}
        save="Back up"
        wish={{
          kind: 'mirror',
          linkUri: linkUris,
          parentLinkUri: target.linkUri,
          conflict: 'fail',
          name: what,
          cron: nightly,
          timezone: ownTimezone(),
          ...options,
        }}
        onSaved={() => go('/transfers')}
        onClose={onClose}
      />
    );
  return (
    <Dialog
      wide="sheet"
      title={`${verbs[kind]} ${what}`}
      sentence={bytes > 0 ? `${formatSize(bytes)}, from ${from}` : `From ${from}`}
      onClose={onClose}
      busy={isBusy}
    >
      <Picker
        recent={recent}
        disabled={isBusy}
        onChoose={(chosen) => {
          setTarget(chosen);
          begin.reset();
          plan.reset();
        }}
      />
      {kind !== 'mirror' && (
        <label className={classes.rule}>
          <IconEqualNot size={18} stroke={1.75} aria-hidden="true" />
          <span>If a name already exists</span>
          <NativeSelect
            size="xs"
            value={conflict}
            disabled={isBusy}
            data={transferConflictRules.map((value) => ({ value, label: ruleWords[value] }))}
            onChange={(event) => setConflict(event.currentTarget.value as TransferConflictRule)}
          />
        </label>
      )}
      <MoreOptions options={options} disabled={isBusy} onChange={setOptions} />
      {error && (
        <Notice kind="error" inDialog>
          {errorText(error)}
        </Notice>
      )}
      <footer className={classes.foot}>
        <p className={classes.into} role="status">
          {target && <Into target={target} reason={refusal({ kind, linkUris, target })} />}
        </p>
        {kind === 'copy' && (
          <Button variant="subtle" disabled={!canBegin} onClick={() => setScheduling(true)}>
            Back up
          </Button>
        )}
        <Button variant="subtle" disabled={!canBegin} loading={plan.isPending} onClick={() => target && plan.mutate(target.linkUri)}>
          Review plan
        </Button>
        <Button variant="filled" disabled={!canBegin} loading={begin.isPending} onClick={start}>
          {verbs[kind]} here
        </Button>
      </footer>
    </Dialog>
  );
}

function Into({ target: { names, canWrite }, reason }: { target: ChosenTarget; reason: string | undefined }) {
  if (reason !== undefined) return reason;
  if (canWrite === false) return 'Nothing can be put into this folder.';
  return <>Into {names.join(' / ')}</>;
}

type Aim = { readonly kind: TransferKind; readonly linkUris: readonly string[]; readonly target: ChosenTarget };

/** Why the items cannot go there, as far as their addresses tell. */
function refusal({ kind, linkUris, target: { linkUri } }: Aim): string | undefined {
  const keys = { ctrlKey: kind !== 'move', altKey: false };
  if (dropKind({ linkUris, canMove: true }, linkUri, keys) !== undefined) return undefined;
  return dropKind({ linkUris, canMove: true }, linkUri, { ...keys, ctrlKey: true }) === undefined
    ? 'A folder cannot be put into itself.'
    : 'The items are in this folder already.';
}
