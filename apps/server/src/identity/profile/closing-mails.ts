import { type MailContent, content } from '#/platform/mail/content.ts';

/** Mail that says that the account will end, when, how to keep it, and which renewals have been stopped. */
export const closingMail = (name: string, day: string, link: string, stopped: readonly string[], isAsked: boolean): MailContent =>
  content({
    subject: 'Your Sheaf account will be closed',
    greeting: name,
    lines: [
      `${isAsked ? 'as you asked, your account' : 'an operator of this Sheaf has closed your account: it'} will be ${isAsked ? 'closed' : 'deleted'} on ${day}. Your public links no longer work, and you are signed out everywhere.`,
      'Until then you can keep it: sign in, and everything is as before. The files in your storage stay where they are in any case.',
      ...stopped.map((product) => `${product} no longer renews: if you keep the account, turn its renewal on again.`),
    ],
    action: { title: 'Sign in to keep the account', link },
    ending: isAsked
      ? 'If you did not ask for this, sign in and change your password.'
      : 'If you have questions, please ask the operator of this installation.',
  });

/** Mail that says that the account has ended. */
export const closedMail = (name: string): MailContent =>
  content({
    subject: 'Your Sheaf account was closed',
    greeting: name,
    lines: ['your account is closed: Sheaf has deleted your links and their passwords. Your files are still in your storage.'],
    ending: 'You are welcome to come back with a new account at any time.',
  });
