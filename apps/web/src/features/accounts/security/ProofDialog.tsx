import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type SignInWays, isSignInProvider, signInPath } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import { hasPasskeys } from '#/features/accounts/passkey.ts';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { ProofContext, type WithProof } from '#/lib/session/proof.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { DialogWait } from '#/ui/dialog/DialogWait.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { signInWayList, useProve } from './security-queries.ts';
import classes from '../accounts.module.css';

interface Waiting {
  readonly proved: () => void;
  readonly stop: () => void;
}

/** Lets calls inside ask for reauthentication when the server requires it. */
export function Reauthentication({ children }: { children: ReactNode }) {
  const [waiting, setWaiting] = useState<Waiting>();
  const withProof = useCallback<WithProof>(async (run) => {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof CallError) || !error.is('PROOF_NEEDED')) throw error;
      await new Promise<void>((resolve, reject) => setWaiting({ proved: resolve, stop: () => reject(error) }));
      return run();
    }
  }, []);
  const answer = (kind: keyof Waiting): void => {
    waiting?.[kind]();
    setWaiting(undefined);
  };
  return (
    <ProofContext value={withProof}>
      {children}
      {waiting && <ProofDialog onProved={() => answer('proved')} onClose={() => answer('stop')} />}
    </ProofContext>
  );
}

type Props = { onProved: () => void; onClose: () => void };

/** Asks for the second factor or, without one, for the password. */
function ProofDialog({ onProved, onClose }: Props) {
  const { data, error } = useQuery(signInWayList);
  return (
    <Dialog title="Confirm that it is you" sentence="This affects your whole account." onClose={onClose}>
      {!data && <DialogWait failure={error ? errorText(error) : ''} rows={2} height={40} />}
      {data && <ProofForm ways={data} onProved={onProved} onClose={onClose} />}
    </Dialog>
  );
}

function ProofForm({ ways, onProved, onClose }: Props & { ways: SignInWays }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const prove = useProve();
  const canPasskey = ways.canPasskey && hasPasskeys && ways.passkeys.length > 0;
  const hasTotp = ways.totpSince !== undefined;
  const hasStep = hasTotp || ways.passkeys.length > 0;
  const asksPassword = ways.hasPassword && !hasStep;
  const ready = password !== '' || code.trim() !== '';
  const submit = (): void => {
    if (!ready || prove.isPending) return;
    prove.mutate(asksPassword ? { password } : answerOf(code), { onSuccess: onProved });
  };
  return (
    <form action={submit}>
      <DialogFields>
        {asksPassword && (
          <PasswordInput
            label="Password"
            name="proof-password"
            autoComplete="current-password"
            data-autofocus
            value={password}
            onChange={(event) => {
              setPassword(event.currentTarget.value);
              prove.reset();
            }}
          />
        )}
        {hasStep && (
          <TextInput
            label={hasTotp ? 'Code of your authenticator app, or a recovery code' : 'Recovery code'}
            name="proof-code"
            autoComplete={hasTotp ? 'one-time-code' : 'off'}
            spellCheck={false}
            autoCapitalize="none"
            data-autofocus
            value={code}
            onChange={(event) => {
              setCode(event.currentTarget.value);
              prove.reset();
            }}
          />
        )}
        {canPasskey && (
          <Button loading={prove.isPending && !ready} onClick={() => prove.mutate({}, { onSuccess: onProved })}>
            Use a passkey
          </Button>
        )}
        {!ways.hasPassword &&
          !hasStep &&
          ways.identities.flatMap(({ identityId, provider, title, opens }) =>
            opens && isSignInProvider(provider) ? (
              <a
                key={identityId}
                className={classes.textLink}
                href={withQuery(signInPath(provider), { redirectUrl: '/account/profile', cancelUrl: '/account/profile' })}
              >
                Sign in again with {title}
              </a>
            ) : (
              []
            ),
          )}
      </DialogFields>
      {prove.error && (
        <Notice kind="error" inDialog>
          {errorText(prove.error)}
        </Notice>
      )}
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        {(asksPassword || hasStep) && (
          <Button type="submit" variant="filled" disabled={!ready} loading={prove.isPending && ready}>
            Confirm
          </Button>
        )}
      </DialogButtons>
    </form>
  );
}

/** Codes of an app have six digits; recovery codes contain letters. */
const answerOf = (typed: string): { code: string } | { recoveryCode: string } =>
  /^\d{6}$/.test(typed.replace(/\s/g, '')) ? { code: typed.trim() } : { recoveryCode: typed.trim() };
