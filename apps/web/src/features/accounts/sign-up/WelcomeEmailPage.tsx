import { Button } from '@mantine/core';
import { useResendVerification } from '#/features/accounts/queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { useSession } from '#/lib/session/session.ts';
import { Gate, gateForm } from '#/ui/feedback/Gate.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { notifyDone } from '#/ui/feedback/notify.ts';
import { PathLink } from '#/ui/PathLink.tsx';

/** Says that a confirmation mail was sent, or that the address is confirmed already. */
export function WelcomeEmailPage() {
  const session = useSession();
  const resend = useResendVerification();
  if (session?.emailVerified === true && session.pendingEmail === undefined) {
    return (
      <Gate
        title="Your address is confirmed"
        sentence={`Mail to ${session.loginAccount} reaches you. There is nothing left to do.`}
        whole={false}
      >
        <div className={gateForm}>
          <Button variant="filled" component={PathLink} href="/account/mysheaf">
            Continue
          </Button>
        </div>
      </Gate>
    );
  }
  return (
    <Gate
      title="Check your mail"
      sentence={`We sent a message to ${session?.pendingEmail ?? session?.loginAccount ?? 'you'}. Open it to confirm your address.`}
      whole={false}
    >
      <div className={gateForm}>
        {resend.error && <Notice kind="error">{errorText(resend.error)}</Notice>}
        <Button variant="filled" component={PathLink} href="/account/mysheaf">
          Continue
        </Button>
        <Button
          loading={resend.isPending}
          onClick={() => resend.mutate(undefined, { onSuccess: () => notifyDone('The message was sent again.') })}
        >
          Send again
        </Button>
      </div>
    </Gate>
  );
}
