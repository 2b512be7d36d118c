import { type MailContent, content } from './content.ts';

/** Asks to verify an address. */
export const verifyMail = (name: string, link: string): MailContent =>
  content({
    subject: 'Confirm your e-mail address for Sheaf',
    greeting: name,
    lines: ['Please confirm that this is your e-mail address.'],
    action: { title: 'Confirm e-mail address', link },
    ending: 'If you did not ask for this, you can ignore this message.',
  });

/** Creates the account of somebody who signed up; the link is valid for a day. */
export const signUpMail = (name: string, link: string): MailContent =>
  content({
    subject: 'Confirm your e-mail address for Sheaf',
    greeting: name,
    lines: ['Please confirm that this is your e-mail address. That creates your account. The link works once, within one day.'],
    action: { title: 'Confirm e-mail address', link },
    ending: 'If you did not sign up, do not confirm it: there is no account for this address until then.',
  });

/** Tells an account's owner that somebody signed up with its address. */
export const accountExistsMail = (name: string, publicUrl: string): MailContent =>
  content({
    subject: 'You already have a Sheaf account',
    greeting: name,
    lines: [
      'Someone, hopefully you, tried to sign up with this e-mail address. It already has an account. Please sign in. If you have forgotten the password, set a new one with "Forgot your password?" on the sign-in page.',
    ],
    action: { title: 'Sign in', link: `${publicUrl}/login/start` },
    ending: 'If this was not you, you can ignore this message: nothing about your account has changed.',
  });

/** Tells an account's owner that another account asked for its address. */
export const addressTakenMail = (name: string, publicUrl: string): MailContent =>
  content({
    subject: 'Your e-mail address was given for another Sheaf account',
    greeting: name,
    lines: [
      'Someone, hopefully you, tried to use this e-mail address for another account. It already belongs to this account, so nothing was changed. To use it there, give this account another address first, or close it.',
    ],
    action: { title: 'Sign in', link: `${publicUrl}/login/start` },
    ending: 'If this was not you, you can ignore this message: nothing about your account has changed.',
  });

/** Lets a user set a new password; the link is valid for an hour. */
export const resetMail = (name: string, link: string): MailContent =>
  content({
    subject: 'Set a new password for Sheaf',
    greeting: name,
    lines: ['Someone, hopefully you, asked for a new password. The link works once, within one hour.'],
    action: { title: 'Set a new password', link },
    ending: 'If you did not ask for this, you can ignore this message: your password stays as it is.',
  });

/** Asks to verify a new address of an account. */
export const newAddressMail = (name: string, link: string): MailContent =>
  content({
    subject: 'Confirm your e-mail address for Sheaf',
    greeting: name,
    lines: [
      'Please confirm that this is your e-mail address, in a browser where you are signed in. Until then your account keeps its current address.',
    ],
    action: { title: 'Confirm e-mail address', link },
    ending: 'If you did not ask for this, do not confirm it: somebody has mistyped their address.',
  });

/** Tells the account's current address that a new one was requested. */
export const addressAskedMail = (name: string, wanted: string, profile: string): MailContent =>
  content({
    subject: 'A new e-mail address for your Sheaf account',
    greeting: name,
    lines: [`Your account gets the address ${wanted} as soon as it is confirmed there. Until then everything stays as it is.`],
    action: { title: 'See your profile', link: profile },
    ending:
      'If the address is not yours, cancel it in your profile. If this was not you, set a new password by "Forgot your password?" on the sign-in page at once: that also cancels the new address.',
  });

/** Tells the former address that the account's address has changed. */
export const addressChangedMail = (name: string): MailContent =>
  content({
    subject: 'Your e-mail address for Sheaf was changed',
    greeting: name,
    lines: ['The e-mail address of your account was changed. Messages no longer go to this address.'],
    ending: 'If this was not you, please tell the operator of this installation at once.',
  });
