import { type Letter, letter } from '#/mail/letter.ts';

/** Tells that the password is another one now. */
export const passwordChangedLetter = (name: string): Letter =>
  letter({
    subject: 'Your password for Sheaf was changed',
    greeting: name,
    lines: ['The password of your account was changed, and all other sessions were ended.'],
    ending: 'If this was not you, set a new password by "Forgot your password?" on the sign-in page at once.',
  });
