import { type MailContent, content } from '#/platform/mail/content.ts';

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Invites to create an account; the link works until `expiresAt` (epoch seconds). */
export const invitationMail = (inviter: string, publicUrl: string, link: string, expiresAt: number): MailContent =>
  content({
    subject: `${inviter} invites you to Sheaf`,
    greeting: 'there',
    lines: [
      `${inviter} invites you to create an account at ${publicUrl}. Sheaf brings all your storage together in one place.`,
      `The link works once, until ${date.format(expiresAt * 1000)}, for this e-mail address.`,
    ],
    action: { title: 'Create my account', link },
    ending: 'If you do not know who this is, you can ignore this message: there is no account for your address.',
  });
