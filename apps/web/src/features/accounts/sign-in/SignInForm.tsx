import { Button, PasswordInput, TextInput } from '@mantine/core';
import type { SignInAnswer } from '@sheaf/contract';
import { useState } from 'react';
import { again } from '#/features/accounts/again.ts';
import { useSignIn } from '#/features/accounts/queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { useBrand } from '#/ui/brand/brand.ts';
import { Gate, gateFoot, gateForm } from '#/ui/feedback/Gate.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { CancelSignIn } from './CancelSignIn.tsx';
import { NewHere } from './NewHere.tsx';
import { SignInSteps, useTaken } from './SignInSteps.tsx';
import classes from '../accounts.module.css';

export type EmailFormProps = { email: string; onEmail: (email: string) => void; onSwitch: () => void };

/** Sign-in with email address and password. */
export function SignInForm({ email, onEmail, onSwitch }: EmailFormProps) {
  const { name } = useBrand();
  const [password, setPassword] = useState('');
  const signIn = useSignIn();
  const [answer, setAnswer] = useState<SignInAnswer>();
  const take = useTaken(setAnswer);
  const { provider: _, ...query } = useQueryParams();
  const ready = email.trim() !== '' && password !== '';

  const submit = (): void => {
    if (!ready || signIn.isPending) return;
    signIn.mutate({ email: email.trim(), password }, { onSuccess: take });
  };

  if (answer) {
    return (
      <SignInSteps
        answer={answer}
        onStartOver={() => {
          setPassword('');
          setAnswer(undefined);
        }}
      />
    );
  }
  return (
    <Gate title={`Sign in to ${name}`} sentence="With your e-mail address">
      <form className={gateForm} action={submit}>
        <TextInput
          label="E-mail address"
          type="email"
          name="email"
          autoComplete="username"
          autoFocus={email === ''}
          required
          value={email}
          onChange={(event) => {
            onEmail(event.currentTarget.value);
            signIn.reset();
          }}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          autoFocus={email !== ''}
          required
          value={password}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            signIn.reset();
          }}
        />
        {signIn.error && <Notice kind="error">{errorText(signIn.error)}</Notice>}
        <Button type="submit" variant="filled" disabled={!ready} loading={signIn.isPending}>
          Sign in
        </Button>
        <div className={classes.row}>
          <PathLink className={classes.textLink} href={again(query)}>
            Other ways to sign in
          </PathLink>
          <PathLink
            className={classes.textLink}
            href={withQuery('/login/forgot', { email: email.trim() === '' ? undefined : email.trim() })}
          >
            Forgot your password?
          </PathLink>
        </div>
      </form>
      <p className={gateFoot}>
        <NewHere>
          <button type="button" onClick={onSwitch}>
            Create an account
          </button>
        </NewHere>
      </p>
      <CancelSignIn />
    </Gate>
  );
}
