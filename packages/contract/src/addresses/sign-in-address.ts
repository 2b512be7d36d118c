import type { SignInProvider } from '../calls/auth.ts';

/** Places where a sign-in starts; other values in the address are ignored. */
export const flowOrigins = [
  'menubar',
  'signuppopover',
  'shared',
  'spaces',
  'picker',
  'links',
  'marketplace',
  'org',
  'account',
  'page',
] as const;
export type FlowOrigin = (typeof flowOrigins)[number];

/** Whether an untrusted value names a place where a sign-in starts. */
export const isFlowOrigin = (value: unknown): value is FlowOrigin => flowOrigins.some((origin) => origin === value);

/** Default page at the end of a sign-in. */
export const afterSignIn = '/login/websuccess';

export interface SignInWay {
  /** Target after sign-in: a path of this site. */
  readonly redirectUrl?: string;
  /** The current page, target of "Cancel". */
  readonly cancelUrl: string;
  readonly flowOrigin: FlowOrigin;
  /** Preselects a way to sign in: a provider, or `email`. */
  readonly provider?: SignInProvider | undefined;
}

/** The address of the sign-in page. */
export function signInAddress({ redirectUrl = afterSignIn, cancelUrl, flowOrigin, provider }: SignInWay): string {
  const query = new URLSearchParams({ redirectUrl, cancelUrl, flowOrigin, ...(provider !== undefined && { provider }) });
  return `/login/start?${query.toString()}`;
}
