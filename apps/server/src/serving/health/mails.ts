import { type MailContent, content } from '#/platform/mail/content.ts';

/** The letter by which an operator tests the mail server. */
export const testMail = (greeting: string, page: string): MailContent =>
  content({
    subject: 'A test letter from Sheaf',
    greeting,
    lines: ['Sheaf can send mail: you have just asked it to, on the page Health.'],
    action: { title: 'Back to the page', link: page },
    ending: 'Nothing else happens.',
  });
