import type { RouteName } from '@sheaf/contract';

/** Outcome of something that began elsewhere: one sentence and where to go next. */
export interface Outcome {
  readonly sentence: string;
  readonly good?: true;
  /** Whether support can help, if the installation has one. */
  readonly asksSupport?: true;
  readonly button?: { readonly text: string; readonly href: string };
}

const toLinks = { text: 'Choose what to link', href: '/links' } as const;
const toSignIn = { text: 'SIGN IN', href: '/login/start' } as const;
const toSignUp = { text: 'Sign up', href: '/signup/start' } as const;
const toStart = { text: 'Go to the start page', href: '/' } as const;

/** The outcome pages; `{title}` stands for the linked provider. */
export const outcomes: Readonly<Partial<Record<RouteName, Outcome>>> = {
  linkDeclined: { sentence: 'You declined access. Nothing was linked.', button: toLinks },
  linkConnectionError: { sentence: 'We could not reach the provider. Please try again.', button: toLinks },
  linkUnexpectedError: { sentence: 'Something unexpected happened while linking. Please try again.', button: toLinks },
  linkDuplicate: { sentence: 'This account is already linked.', button: toLinks },
  linkMismatch: { sentence: 'You signed in with a different account than the one this link uses.', button: toLinks },
  linkDesktopSuccess: {
    sentence: 'Your {title} account is linked. You can close this window and return to the Sheaf app.',
    good: true,
    button: toLinks,
  },
  linkProcessingError: { sentence: 'The link request could not be completed. Please try again.', button: toLinks },
  loginAccountDisabled: { sentence: 'This account has been disabled.', asksSupport: true, button: toStart },
  loginAccountNotFound: { sentence: 'We could not find an account for this sign-in.', button: toSignUp },
  loginClientDisabled: {
    sentence: 'This version of the Sheaf app can no longer sign in. Please install the latest version.',
    button: { text: 'Get the latest version', href: '/download' },
  },
  loginConnectionError: { sentence: 'We could not reach the sign-in provider. Please try again.', button: toSignIn },
  loginUnexpectedError: { sentence: 'Something unexpected happened while signing you in. Please try again.', button: toSignIn },
  loginDeclined: { sentence: 'Sign-in was canceled.', button: toSignIn },
  loginUserDisabled: { sentence: 'Your user has been disabled by your organization.', button: toStart },
  loginNotAdmitted: {
    sentence: 'There is no account for this sign-in, and new accounts need an invitation here. Please ask whoever runs this Sheaf.',
    button: toSignIn,
  },
  loginWrongAccount: { sentence: 'You signed in with a different account than expected.', button: toSignIn },
  loginSuccess: {
    sentence: 'You are signed in. You can return to the Sheaf app.',
    good: true,
    button: { text: 'Go to my Sheaf', href: '/account/mysheaf' },
  },
  signupDeclined: { sentence: 'Sign-up was canceled.', button: toSignUp },
};
