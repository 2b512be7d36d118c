import { type SignInWay, afterSignIn, isFlowOrigin, safePath, signInAddress } from '@sheaf/contract';

/** The sign-in page with what the present page's query says, to choose another way of signing in. */
export function again(query: Readonly<Record<string, string | undefined>>, provider?: SignInWay['provider']): string {
  const { redirectUrl, cancelUrl, flowOrigin } = query;
  return signInAddress({
    redirectUrl: safePath(redirectUrl, afterSignIn),
    cancelUrl: safePath(cancelUrl, '/'),
    flowOrigin: isFlowOrigin(flowOrigin) ? flowOrigin : 'page',
    provider,
  });
}
