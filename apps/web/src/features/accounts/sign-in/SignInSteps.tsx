import { Button, TextInput } from '@mantine/core';
import { type SecondFactorKind, type SecondFactorStep, type SignInAnswer, isSession } from '@sheaf/contract';
import { useState } from 'react';
import { dateOf } from '#/features/accounts/dates.ts';
import { hasPasskeys } from '#/features/accounts/passkey.ts';
import { useReopen, useSecondFactor } from '#/features/accounts/queries.ts';
import { targetAfterSignIn } from '#/features/accounts/return-target.ts';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { Gate, gateForm } from '#/ui/feedback/Gate.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { PathLink, useGo } from '#/ui/PathLink.tsx';
import classes from '../accounts.module.css';

type Props = { answer: SignInAnswer; onStartOver: () => void };

/** The steps of a sign-in after the first; continues to the target once there is a session. */
export function SignInSteps({ answer, onStartOver }: Props) {
  const [next, setNext] = useState(answer);
  const take = useTaken(setNext);
  if ('secondFactor' in next) return <SecondStep step={next.secondFactor} onAnswer={take} onStartOver={onStartOver} />;
  if ('closing' in next) return <ClosingAccount ticket={next.closing.ticket} closesAt={next.closing.closesAt} onStartOver={onStartOver} />;
  return <Gate title="One moment..." />;
}

/** Handles a step's answer: goes to the target, or shows the next step. */
export function useTaken(onStep: (answer: SignInAnswer) => void): (answer: SignInAnswer) => void {
  const go = useGo();
  const { redirectUrl, cancelUrl } = useQueryParams();
  return (answer) => (isSession(answer) ? go(targetAfterSignIn(redirectUrl, cancelUrl), { replace: true }) : onStep(answer));
}

const ways: Readonly<Record<SecondFactorKind, { sentence: string; other: string }>> = {
  passkey: { sentence: 'Use your passkey to confirm that it is you.', other: 'Use a passkey' },
  totp: { sentence: 'Enter the code that your authenticator app shows.', other: 'Use your authenticator app' },
  recovery: { sentence: 'Enter one of your recovery codes. Each works once.', other: 'Use a recovery code' },
};

function SecondStep({
  step: { ticket, kinds },
  onAnswer,
  onStartOver,
}: {
  step: SecondFactorStep;
  onAnswer: (answer: SignInAnswer) => void;
  onStartOver: () => void;
}) {
  const usable = kinds.filter((kind) => kind !== 'passkey' || hasPasskeys);
  const [kind, setKind] = useState<SecondFactorKind>(usable[0] ?? 'recovery');
  const [code, setCode] = useState('');
  const answer = useSecondFactor(ticket);
  const isOver = answer.error instanceof CallError && answer.error.is('SIGN_IN_AGAIN');
  const submit = (): void => {
    if (answer.isPending || (kind !== 'passkey' && code.trim() === '')) return;
    const given = kind === 'totp' ? { code: code.trim() } : kind === 'recovery' ? { recoveryCode: code.trim() } : {};
    answer.mutate(given, { onSuccess: onAnswer });
  };
  return (
    <Gate title="One more step" sentence={ways[kind].sentence}>
      <form className={gateForm} action={submit}>
        {kind !== 'passkey' && (
          <TextInput
            key={kind}
            label={kind === 'totp' ? 'Code' : 'Recovery code'}
            name={kind}
            autoComplete={kind === 'totp' ? 'one-time-code' : 'off'}
            inputMode={kind === 'totp' ? 'numeric' : 'text'}
            spellCheck={false}
            autoCapitalize="none"
            autoFocus
            value={code}
            onChange={(event) => {
              setCode(event.currentTarget.value);
              answer.reset();
            }}
          />
        )}
        {answer.error && <Notice kind="error">{errorText(answer.error)}</Notice>}
        {isOver ? (
          <Button variant="filled" onClick={onStartOver}>
            Start over
          </Button>
        ) : (
          <Button type="submit" variant="filled" disabled={kind !== 'passkey' && code.trim() === ''} loading={answer.isPending}>
            {kind === 'passkey' ? 'Use a passkey' : 'Continue'}
          </Button>
        )}
      </form>
      <ul className={classes.otherWays}>
        {usable
          .filter((other) => other !== kind)
          .map((other) => (
            <li key={other}>
              <button
                type="button"
                onClick={() => {
                  setKind(other);
                  setCode('');
                  answer.reset();
                }}
              >
                {ways[other].other}
              </button>
            </li>
          ))}
        <li>
          <button type="button" onClick={onStartOver}>
            Sign in with another account
          </button>
        </li>
      </ul>
    </Gate>
  );
}

/** Sign-in to an account that is being closed: offers to keep it. */
export function ClosingAccount({ ticket, closesAt, onStartOver }: { ticket: string; closesAt: number; onStartOver: () => void }) {
  const reopen = useReopen();
  const take = useTaken(onStartOver);
  return (
    <Gate
      title={`This account will be closed on ${dateOf(closesAt)}.`}
      sentence="Until then you can keep it, and everything is as it was: links, shares and Spaces."
    >
      <div className={gateForm}>
        {reopen.error && <Notice kind="error">{errorText(reopen.error)}</Notice>}
        <Button variant="filled" loading={reopen.isPending} onClick={() => reopen.mutate(ticket, { onSuccess: take })}>
          Keep my account
        </Button>
        <Button component={PathLink} href="/">
          Close it anyway
        </Button>
      </div>
    </Gate>
  );
}
