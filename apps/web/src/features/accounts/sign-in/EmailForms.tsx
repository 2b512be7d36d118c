import { useState } from 'react';
import { useQueryParams } from '#/lib/location.ts';
import { useSession } from '#/lib/session/session.ts';
import { SignInForm } from './SignInForm.tsx';
import { SignUpForm } from './SignUpForm.tsx';

/** Sign-in and sign-up with an email address, which both forms share. */
export function EmailForms({ first }: { first: 'signIn' | 'signUp' }) {
  const [shown, setShown] = useState(first);
  const invited = useQueryParams()['email'];
  const [email, setEmail] = useState(useSession()?.loginAccount ?? invited ?? '');
  return shown === 'signIn' ? (
    <SignInForm email={email} onEmail={setEmail} onSwitch={() => setShown('signUp')} />
  ) : (
    <SignUpForm email={email} onEmail={setEmail} onSwitch={() => setShown('signIn')} />
  );
}
