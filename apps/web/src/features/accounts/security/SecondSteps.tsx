import { Button } from '@mantine/core';
import type { Passkey, SignInWays } from '@sheaf/contract';
import { IconDeviceMobileMessage, IconFingerprint, IconLifebuoy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dateOf, momentOf } from '#/features/accounts/dates.ts';
import { hasPasskeys } from '#/features/accounts/passkey.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import { notifyError } from '#/ui/feedback/notify.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Tile } from '#/ui/Tile.tsx';
import { PasskeyDialog } from './PasskeyDialog.tsx';
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx';
import { signInWayList, useRemovePasskey, useRemoveTotp, useRenewRecoveryCodes } from './security-queries.ts';
import { TotpDialog } from './TotpDialog.tsx';
import classes from '../profile.module.css';

type Open =
  | { readonly kind: 'totp' | 'passkey' | 'removeTotp' | 'renew' }
  | { readonly kind: 'rename' | 'removePasskey'; readonly passkey: Passkey }
  | { readonly kind: 'codes'; readonly codes: readonly string[] };

/** Second factors: an authenticator app, passkeys, and recovery codes. */
export function SecondSteps() {
  const { data, error, refetch } = useQuery(signInWayList);
  if (error)
    return <ErrorState title="Two-step verification could not be loaded" message={errorText(error)} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={2} height={60} />;
  return <Steps ways={data} />;
}

function Steps({ ways }: { ways: SignInWays }) {
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  /** The first second factor comes with recovery codes, shown once. */
  const added = (codes: readonly string[] | undefined): void => setOpen(codes ? { kind: 'codes', codes } : undefined);
  const hasStep = ways.totpSince !== undefined || ways.passkeys.length > 0;
  return (
    <div className={classes.stack}>
      <ul className={classes.list}>
        <li className={classes.item}>
          <Tile>
            <IconDeviceMobileMessage size={18} stroke={1.75} />
          </Tile>
          <span>
            <b>Authenticator app</b>
            <small>{ways.totpSince === undefined ? 'Not set up' : `Asked for a code since ${dateOf(ways.totpSince)}`}</small>
          </span>
          {ways.totpSince === undefined ? (
            <Button size="xs" aria-label="Set up an authenticator app" onClick={() => setOpen({ kind: 'totp' })}>
              Set up
            </Button>
          ) : (
            <Button size="xs" aria-label="Remove the authenticator app" onClick={() => setOpen({ kind: 'removeTotp' })}>
              Remove
            </Button>
          )}
        </li>
        {ways.passkeys.map((passkey) => (
          <li key={passkey.passkeyId} className={classes.item}>
            <Tile>
              <IconFingerprint size={18} stroke={1.75} />
            </Tile>
            <span>
              <b>{passkey.name}</b>
              <small>
                Passkey, {passkey.lastUsedAt === undefined ? 'not used yet' : `last used ${momentOf(passkey.lastUsedAt)}`}
                {passkey.signsIn && ', also signs in alone'}
              </small>
            </span>
            <span className={classes.row}>
              <Button size="xs" aria-label={`Rename the passkey ${passkey.name}`} onClick={() => setOpen({ kind: 'rename', passkey })}>
                Rename
              </Button>
              <Button
                size="xs"
                aria-label={`Remove the passkey ${passkey.name}`}
                onClick={() => setOpen({ kind: 'removePasskey', passkey })}
              >
                Remove
              </Button>
            </span>
          </li>
        ))}
        {hasStep && (
          <li className={classes.item}>
            <Tile>
              <IconLifebuoy size={18} stroke={1.75} />
            </Tile>
            <span>
              <b>Recovery codes</b>
              <small>{ways.recoveryCodesLeft} left, for when nothing else is at hand</small>
            </span>
            <Button size="xs" aria-label="Make new recovery codes" onClick={() => setOpen({ kind: 'renew' })}>
              New codes
            </Button>
          </li>
        )}
      </ul>
      <PasskeysHere ways={ways} onAdd={() => setOpen({ kind: 'passkey' })} />
      {open?.kind === 'totp' && <TotpDialog onDone={added} onClose={close} />}
      {open?.kind === 'passkey' && <PasskeyDialog onDone={added} onClose={close} />}
      {open?.kind === 'rename' && <PasskeyDialog passkey={open.passkey} onDone={added} onClose={close} />}
      {open?.kind === 'codes' && <RecoveryCodesDialog codes={open.codes} onClose={close} />}
      {open?.kind === 'removeTotp' && <RemoveTotp onClose={close} />}
      {open?.kind === 'removePasskey' && <RemovePasskey passkey={open.passkey} onClose={close} />}
      {open?.kind === 'renew' && <RenewCodes onDone={added} onClose={close} />}
    </div>
  );
}

function PasskeysHere({ ways, onAdd }: { ways: SignInWays; onAdd: () => void }) {
  if (!ways.canPasskey) {
    return (
      <p className={classes.hint}>Passkeys need an address with a host name and https. The operator of this installation can set one.</p>
    );
  }
  if (!hasPasskeys) return <p className={classes.hint}>This browser has no passkeys.</p>;
  return <Button onClick={onAdd}>Add a passkey</Button>;
}

function RemoveTotp({ onClose }: { onClose: () => void }) {
  const remove = useRemoveTotp();
  const confirm = (): void =>
    remove.mutate(undefined, { onError: (error) => notifyError(`Cannot remove it. ${errorText(error)}`), onSettled: onClose });
  return (
    <ConfirmDialog
      title="Remove the authenticator app?"
      confirm="Remove"
      cancel="Keep"
      busy={remove.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      Its codes are no longer asked for. You can delete the entry in the app.
    </ConfirmDialog>
  );
}

function RemovePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const remove = useRemovePasskey();
  const confirm = (): void =>
    remove.mutate(passkey.passkeyId, { onError: (error) => notifyError(`Cannot remove it. ${errorText(error)}`), onSettled: onClose });
  return (
    <ConfirmDialog
      title={`Remove the passkey ${passkey.name}?`}
      confirm="Remove"
      cancel="Keep"
      busy={remove.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      Sheaf no longer accepts it. Your device keeps it until you delete it there.
    </ConfirmDialog>
  );
}

function RenewCodes({ onDone, onClose }: { onDone: (codes: readonly string[]) => void; onClose: () => void }) {
  const renew = useRenewRecoveryCodes();
  const confirm = (): void =>
    renew.mutate(undefined, {
      onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
      onError: (error) => {
        notifyError(`Cannot make new codes. ${errorText(error)}`);
        onClose();
      },
    });
  return (
    <ConfirmDialog
      title="Make new recovery codes?"
      confirm="New codes"
      cancel="Keep the old ones"
      busy={renew.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      The old codes no longer work from then on.
    </ConfirmDialog>
  );
}
