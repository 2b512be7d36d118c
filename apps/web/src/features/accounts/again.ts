import { type SignInWay, afterSignIn, isFlowOrigin, safePath, signInAddress } from '@sheaf/contract';

/** The sign-in page with the current page's query, to choose another way to sign in. */
export function again(query: Readonly<Record<string, string | undefined>>, provider?: SignInWay['provider']): string {
  const { redirectUrl, cancelUrl, flowOrigin } = query;
  return signInAddress({
    redirectUrl: safePath(redirectUrl, afterSignIn),
    cancelUrl: safePath(cancelUrl, '/'),
    flowOrigin: isFlowOrigin(flowOrigin) ? flowOrigin : 'page',
    provider,
  });
}
