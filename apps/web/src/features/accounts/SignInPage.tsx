import { type SignInProvider, signInPath, signInProviders } from '@sheaf/contract';
import { useEffect } from 'react';
import { withQuery } from '#/lib/form-body.ts';
import { useQueryParams } from '#/lib/location.ts';
import { Gate } from '#/ui/Gate.tsx';
import { EmailForms } from './EmailForms.tsx';
import { ProviderButtons } from './ProviderButtons.tsx';
import classes from './accounts.module.css';

const isProvider = (value: string | undefined): value is SignInProvider => signInProviders.some((provider) => provider === value);

/** The way in: with Google, Microsoft or e-mail. `provider` in the address chooses one at once. */
export function SignInPage() {
  const query = useQueryParams();
  const { provider } = query;
  const leaving = isProvider(provider);
  useEffect(() => {
    if (!isProvider(provider)) return;
    const { provider: _, ...rest } = query;
    location.replace(withQuery(signInPath(provider), rest));
  }, [provider, query]);

  if (provider === 'email') return <EmailForms first="signIn" />;
  return (
    <Gate title="Sign in to Sheaf" sentence={leaving ? 'One moment...' : 'New here? This creates your account too.'}>
      {!leaving && (
        <>
          <ProviderButtons emailHref={withQuery('/login/start', { ...query, provider: 'email' })} />
          <p className={classes.quiet}>All your stuff is private.</p>
        </>
      )}
    </Gate>
  );
}
