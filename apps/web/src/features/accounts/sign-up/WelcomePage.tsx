import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { memberChange } from '#/features/accounts/member-change.ts';
import { useUpdateMember } from '#/features/accounts/queries.ts';
import { Reauthentication } from '#/features/accounts/security/ProofDialog.tsx';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { useSession } from '#/lib/session/session.ts';
import { useBrand } from '#/ui/brand/brand.ts';
import { Gate, gateForm } from '#/ui/feedback/Gate.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { useGo } from '#/ui/PathLink.tsx';

/** Asks a new user to check name and email address. */
export function WelcomePage() {
  return (
    <Reauthentication>
      <WelcomeForm />
    </Reauthentication>
  );
}

function WelcomeForm() {
  const brand = useBrand();
  const session = useSession();
  const [name, setName] = useState(session?.loginName ?? '');
  const known = session && { loginName: session.loginName, loginAccount: session.pendingEmail ?? session.loginAccount };
  const [email, setEmail] = useState(known?.loginAccount ?? '');
  const update = useUpdateMember();
  const go = useGo();
  const { error } = update;
  const wrongName = error instanceof CallError && error.is('INVALID_NAME');

  const submit = (): void => {
    const next = (): void => go('/welcome-email');
    const change = memberChange(known, name, email);
    if (change) update.mutate(change, { onSuccess: next });
    else next();
  };

  return (
    <Gate title={`Welcome to ${brand.name}`} sentence="Is this how we should address you?">
      <form className={gateForm} action={submit}>
        <TextInput
          label="Name"
          name="name"
          autoComplete="name"
          autoFocus
          value={name}
          error={wrongName && errorText(error)}
          onChange={(event) => {
            setName(event.currentTarget.value);
            update.reset();
          }}
        />
        <TextInput
          label="E-mail address"
          type="email"
          name="email"
          autoComplete="email"
          required
          value={email}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            update.reset();
          }}
        />
        {error && !wrongName && <Notice kind="error">{errorText(error)}</Notice>}
        <Button type="submit" variant="filled" disabled={email.trim() === ''} loading={update.isPending}>
          Continue
        </Button>
      </form>
    </Gate>
  );
}
