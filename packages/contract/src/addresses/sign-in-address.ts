import type { SignInProvider } from '../calls/auth.ts';

/** Places where a sign-in begins; other values in the address are ignored. */
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

/** Whether a value from outside names a place where a sign-in begins. */
export const isFlowOrigin = (value: unknown): value is FlowOrigin => flowOrigins.some((origin) => origin === value);

/** The page that ends a sign-in when no other is asked for. */
export const afterSignIn = '/login/websuccess';

export interface SignInWay {
  /** Where to go when signed in: a path of this site. */
  readonly redirectUrl?: string;
  /** The current page, where "Cancel" leads. */
  readonly cancelUrl: string;
  readonly flowOrigin: FlowOrigin;
  /** Chooses a way of signing in at once. */
  readonly provider?: SignInProvider | 'email' | undefined;
}

/** The address of the sign-in page. */
export function signInAddress({ redirectUrl = afterSignIn, cancelUrl, flowOrigin, provider }: SignInWay): string {
  const query = new URLSearchParams({ redirectUrl, cancelUrl, flowOrigin, ...(provider !== undefined && { provider }) });
  return `/login/start?${query.toString()}`;
}
