import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useForgotPassword } from '#/features/accounts/queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { visitorSignInAddress } from '#/lib/session/sign-in-address.ts';
import { Gate, gateFoot, gateForm } from '#/ui/feedback/Gate.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { PathLink } from '#/ui/PathLink.tsx';

/** Requests a mail for setting a new password; the answer is the same for unknown addresses. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState(useQueryParams()['email'] ?? '');
  const forgot = useForgotPassword();
  const back = (
    <p className={gateFoot}>
      <PathLink href={visitorSignInAddress('/', 'account', 'email')}>Back to sign in</PathLink>
    </p>
  );
  if (forgot.isSuccess) {
    return (
      <Gate
        title="Check your mail"
        sentence={`If there is an account for ${email.trim()}, a message with a link to set a new password is on its way.`}
      >
        {back}
      </Gate>
    );
  }
  return (
    <Gate title="Forgot your password?" sentence="We mail you a link to set a new one.">
      <form className={gateForm} action={() => forgot.mutate(email.trim())}>
        <TextInput
          label="E-mail address"
          type="email"
          name="email"
          autoComplete="username"
          autoFocus
          required
          value={email}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            forgot.reset();
          }}
        />
        {forgot.error && <Notice kind="error">{errorText(forgot.error)}</Notice>}
        <Button type="submit" variant="filled" disabled={email.trim() === ''} loading={forgot.isPending}>
          Send the link
        </Button>
      </form>
      {back}
    </Gate>
  );
}
