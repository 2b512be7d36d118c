import { Button } from '@mantine/core';
import type { SignInProvider, SignInWays } from '@sheaf/contract';
import { IconCircleCheck, IconFingerprint, IconPassword } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { signInWayList, useLinkIdentity, useRemovePassword, useUnlinkIdentity } from '#/features/accounts/security/security-queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { sessionQuery } from '#/lib/session/session.ts';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { notifyDone, notifyError } from '#/ui/feedback/notify.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Tile } from '#/ui/Tile.tsx';
import { PasswordDialog } from './PasswordDialog.tsx';
import classes from '../profile.module.css';

/** Providers that are shown even if they are not set up. */
const usual = [
  { provider: 'google', title: 'Google' },
  { provider: 'microsoft', title: 'Microsoft' },
];

type Removal = { readonly name: string; readonly remove: () => Promise<unknown> };

/** Ways to sign in: password, sign-in providers, and the number of passkeys. */
export function ChangeAccount() {
  const { data, error, refetch } = useQuery(signInWayList);
  const { joined } = useQueryParams();
  const { signInProviders = [] } = useQuery(sessionQuery).data ?? {};
  if (error)
    return <ErrorState title="The ways to sign in could not be listed" message={errorText(error)} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={3} height={60} />;
  return (
    <div className={classes.stack}>
      {joined === 'taken' && <Notice kind="error">That account opens another Sheaf account already. Nothing was changed.</Notice>}
      {joined !== undefined && joined !== 'taken' && (
        <p className={classes.good} role="status">
          <IconCircleCheck size={18} stroke={1.75} aria-hidden="true" />
          {signInProviders.find(({ provider }) => provider === joined)?.title ?? joined} opens this account from now on.
        </p>
      )}
      <Ways ways={data} />
    </div>
  );
}

function Ways({ ways }: { ways: SignInWays }) {
  const { signInProviders = [], hasPasswords = true, isOperator = false } = useQuery(sessionQuery).data ?? {};
  const mayHavePassword = hasPasswords || isOperator;
  const [isSetting, setSetting] = useState(false);
  const [removal, setRemoval] = useState<Removal>();
  const removePassword = useRemovePassword();
  const unlink = useUnlinkIdentity();
  const { hasPassword, identities } = ways;
  const passkeys = ways.passkeys.filter(({ signsIn }) => signsIn).length;
  const open = (hasPassword && mayHavePassword ? 1 : 0) + identities.filter(({ opens }) => opens).length + passkeys;
  /** Whether another way is left without this one. */
  const mayGo = (opens: boolean): boolean => open > (opens ? 1 : 0);
  return (
    <>
      <ul className={classes.list}>
        {(mayHavePassword || hasPassword) && (
          <Way
            icon={<IconPassword size={18} stroke={1.75} />}
            title="Password"
            text={!mayHavePassword ? 'Opens nothing here' : hasPassword ? 'Opens the account together with your e-mail address' : 'Not set'}
          >
            {mayHavePassword && (
              <Button size="xs" onClick={() => setSetting(true)}>
                {hasPassword ? 'Change password' : 'Set password'}
              </Button>
            )}
            {hasPassword && mayGo(mayHavePassword) && (
              <Button
                size="xs"
                variant="subtle"
                aria-label="Remove the password"
                onClick={() => setRemoval({ name: 'the password', remove: () => removePassword.mutateAsync(undefined) })}
              >
                Remove
              </Button>
            )}
          </Way>
        )}
        {identities.map(({ identityId, title, email, opens }) => (
          <Way key={identityId} icon={title.slice(0, 1)} title={title} text={opens ? email : `${email}, not offered any more`}>
            {mayGo(opens) && (
              <Button
                size="xs"
                aria-label={`Remove ${title} (${email})`}
                onClick={() => setRemoval({ name: `${title} (${email})`, remove: () => unlink.mutateAsync(identityId) })}
              >
                Remove
              </Button>
            )}
          </Way>
        ))}
        {[...signInProviders, ...usual.filter(({ provider }) => signInProviders.every((one) => one.provider !== provider))]
          .filter((one) =>
            // An identity of a provider that has moved opens nothing: the new one can be added beside it.
            identities.every(({ provider, opens }) => provider !== one.provider || (!opens && signInProviders.includes(one))),
          )
          .map((one) => (
            <Unjoined key={one.provider} {...one} isSetUp={signInProviders.includes(one)} />
          ))}
        <Way
          icon={<IconFingerprint size={18} stroke={1.75} />}
          title="Passkeys"
          text={
            passkeys === 0
              ? 'None that signs in without a password'
              : `${passkeys} ${passkeys === 1 ? 'signs' : 'sign'} in without a password`
          }
        >
          <Button size="xs" component="a" href="#second-step">
            Manage passkeys
          </Button>
        </Way>
      </ul>
      {isSetting && <PasswordDialog hasPassword={hasPassword} onClose={() => setSetting(false)} />}
      {removal && <RemovalDialog removal={removal} onClose={() => setRemoval(undefined)} />}
    </>
  );
}

/** A provider that is not connected to the account. */
function Unjoined({ provider, title, isSetUp }: { provider: SignInProvider; title: string; isSetUp: boolean }) {
  const link = useLinkIdentity();
  return (
    <Way icon={title.slice(0, 1)} title={title} text={isSetUp ? 'Does not open this account' : 'Not set up on this installation'}>
      {isSetUp && (
        <Button
          size="xs"
          aria-label={`Add ${title}`}
          loading={link.isPending}
          onClick={() => link.mutate(provider, { onError: (error) => notifyError(`Cannot add ${title}. ${errorText(error)}`) })}
        >
          Add
        </Button>
      )}
    </Way>
  );
}

function Way({ icon, title, text, children }: { icon: ReactNode; title: string; text: string; children?: ReactNode }) {
  return (
    <li className={classes.item}>
      <Tile>{icon}</Tile>
      <span>
        <b>{title}</b>
        <small>{text}</small>
      </span>
      <span className={classes.row}>{children}</span>
    </li>
  );
}

function RemovalDialog({ removal, onClose }: { removal: Removal; onClose: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const remove = async (): Promise<void> => {
    setBusy(true);
    try {
      await removal.remove();
      notifyDone('Done. It no longer opens your account.');
    } catch (error) {
      notifyError(errorText(error));
    }
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Remove ${removal.name}?`}
      confirm="Remove"
      cancel="Keep"
      busy={isBusy}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      You can no longer sign in with it. The other ways stay.
    </ConfirmDialog>
  );
}
