import { again } from '#/features/accounts/again.ts';
import { EmailForms } from '#/features/accounts/sign-in/EmailForms.tsx';
import { ProviderButtons } from '#/features/accounts/sign-in/ProviderButtons.tsx';
import { withQuery } from '#/lib/http/form-body.ts';
import { useQueryParams, useRoute } from '#/lib/location.ts';
import { Gate, gateFoot } from '#/ui/feedback/Gate.tsx';
import { PathLink } from '#/ui/PathLink.tsx';

/** Sign-up: the same ways as for sign-in. */
export function SignUpPage() {
  const { provider, ...query } = useQueryParams();
  const path = useRoute()?.route.pattern ?? '/signup/start';
  if (provider === 'email') return <EmailForms first="signUp" />;
  return (
    <Gate title="Sign up for Sheaf" sentence="One account for all your storage.">
      <ProviderButtons emailHref={withQuery(path, { ...query, provider: 'email' })} />
      <p className={gateFoot}>
        Already have an account? <PathLink href={again(query)}>Sign in</PathLink>
      </p>
    </Gate>
  );
}
