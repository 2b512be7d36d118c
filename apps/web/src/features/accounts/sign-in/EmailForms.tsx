import { useState } from 'react';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { useSession } from '#/lib/session/session.ts';
import { SignInForm } from './SignInForm.tsx';
import { SignUpForm } from './SignUpForm.tsx';

/** Sign-in and sign-up with an email address, which both forms share. */
export function EmailForms({ first, invited }: { first: 'signIn' | 'signUp'; /** Address of an invitation. */ invited?: string }) {
  const [shown, setShown] = useState(first);
  const given = useQueryParams()['email'];
  const account = useSession()?.loginAccount;
  const [email, setEmail] = useState(invited ?? account ?? given ?? '');
  return shown === 'signIn' ? (
    <SignInForm email={email} onEmail={setEmail} onSwitch={() => setShown('signUp')} />
  ) : (
    <SignUpForm email={email} onEmail={setEmail} onSwitch={() => setShown('signIn')} />
  );
}
