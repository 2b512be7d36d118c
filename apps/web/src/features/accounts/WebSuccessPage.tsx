import { useEffect } from 'react';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { useRoute } from '#/lib/navigation/route.ts';
import { tellTabs } from '#/lib/session/other-tabs.ts';
import { refreshSession } from '#/lib/session/session.ts';
import { Gate } from '#/ui/feedback/Gate.tsx';
import { useGo } from '#/ui/PathLink.tsx';
import { targetAfterSignIn } from './return-target.ts';

/** End of a sign-in with a provider: returns to where it started. */
export function WebSuccessPage() {
  const { redirectUrl, cancelUrl } = useQueryParams();
  // While the next page loads, this one is still rendered at that page's address.
  const isHere = useRoute()?.route.name === 'loginWebSuccess';
  const go = useGo();
  useEffect(() => {
    if (!isHere) return;
    tellTabs('signedIn');
    void refreshSession().then(() => go(targetAfterSignIn(redirectUrl, cancelUrl), { replace: true }));
  }, [go, isHere, redirectUrl, cancelUrl]);
  return <Gate title="You are signed in" sentence="One moment..." />;
}
