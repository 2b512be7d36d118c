import { Button, PasswordInput, TextInput } from '@mantine/core';
import { isSession, limits } from '@sheaf/contract';
import { useState } from 'react';
import { useSignUp } from '#/features/accounts/queries.ts';
import { targetAfterSignIn } from '#/features/accounts/return-target.ts';
import type { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { forgetToken } from '#/lib/session/kept-token.ts';
import { keptInvitation, signUpPath, useSignUpRules } from '#/lib/session/sign-up-rules.ts';
import { Gate, gateFoot, gateForm } from '#/ui/feedback/Gate.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { useGo } from '#/ui/PathLink.tsx';
import type { EmailFormProps } from './SignInForm.tsx';
import { SignUpMailed } from './SignUpMailed.tsx';

/** Sign-up with email address and password. */
export function SignUpForm({ email, onEmail, onSwitch }: EmailFormProps) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const signUp = useSignUp();
  const go = useGo();
  const { redirectUrl, cancelUrl } = useQueryParams();
  const target = targetAfterSignIn(redirectUrl, cancelUrl);
  const { setup, domains = [] } = useSignUpRules() ?? {};
  const [setupCode, setSetupCode] = useState('');
  const invitation = keptInvitation();
  const ready = email.trim() !== '' && password !== '' && (setup !== 'code' || setupCode.trim() !== '');

  const submit = (): void => {
    if (!ready || signUp.isPending) return;
    signUp.mutate(
      {
        name: name.trim(),
        email: email.trim(),
        password,
        redirectUrl: target,
        ...(invitation !== undefined && { invitation }),
        ...(setup === 'code' && { setupCode: setupCode.trim() }),
      },
      {
        onSuccess: (answer) => {
          if (!isSession(answer)) return;
          forgetToken(signUpPath);
          go(target, { replace: true });
        },
      },
    );
  };
  const { error } = signUp;
  const at = error && fieldOf(error as CallError);

  if (signUp.data && !isSession(signUp.data))
    return <SignUpMailed mailedTo={signUp.data.mailedTo} onAgain={submit} onChange={signUp.reset} />;
  return (
    <Gate title="Create your account" sentence={(setup && setupSentences[setup]) ?? 'One account for all your storage.'}>
      <form className={gateForm} action={submit}>
        {setup === 'code' && (
          <TextInput
            label="Code"
            name="code"
            autoComplete="off"
            required
            value={setupCode}
            description="Sheaf printed it when it started, in its error output."
            error={at === 'code' && error && errorText(error)}
            onChange={edit(setSetupCode)}
          />
        )}
        <TextInput
          label="Name"
          name="name"
          autoComplete="name"
          autoFocus
          value={name}
          error={at === 'name' && error && errorText(error)}
          onChange={edit(setName)}
        />
        <TextInput
          label="E-mail address"
          type="email"
          name="email"
          autoComplete="username"
          required
          value={email}
          description={
            setup === undefined && invitation === undefined && domains.length > 0
              ? `Without an invitation, an address of ${domains.join(' or ')}.`
              : undefined
          }
          error={at === 'email' && error && errorText(error)}
          onChange={edit(onEmail)}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="new-password"
          required
          value={password}
          description={`At least ${limits.passwordLength.min} characters.`}
          error={at === 'password' && error && errorText(error)}
          onChange={edit(setPassword)}
        />
        {error && at === undefined && <Notice kind="error">{errorText(error)}</Notice>}
        <Button type="submit" variant="filled" disabled={!ready} loading={signUp.isPending}>
          Create account
        </Button>
      </form>
      <p className={gateFoot}>
        Already have an account?{' '}
        <button type="button" onClick={onSwitch}>
          Sign in
        </button>
      </p>
    </Gate>
  );

  function edit(set: (value: string) => void) {
    return (event: { currentTarget: HTMLInputElement }): void => {
      set(event.currentTarget.value);
      signUp.reset();
    };
  }
}

const setupSentences: Readonly<Partial<Record<'code' | 'operators' | 'free', string>>> = {
  code: 'Nobody has an account here yet. The first one is for whoever runs this Sheaf.',
  operators: 'Nobody has an account here yet. The first one needs an address that SHEAF_OPERATORS names.',
};

/** The field that an error concerns. */
function fieldOf(error: CallError): 'name' | 'email' | 'password' | 'code' | undefined {
  if (error.is('SETUP_CODE_WRONG')) return 'code';
  if (error.is('SIGNUP_DOMAIN') || error.is('INVITATION_OTHER_ADDRESS')) return 'email';
  if (error.is('WEAK_PASSWORD')) return 'password';
  if (error.is('EMAIL_TAKEN') || error.is('EMAIL_INVALID')) return 'email';
  return error.is('INVALID_NAME') ? 'name' : undefined;
}
