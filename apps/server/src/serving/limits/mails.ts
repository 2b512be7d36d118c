import { type MailContent, content } from '#/platform/mail/content.ts';

/** Mail to the person whose limits an operator has changed. */
export const limitsMail = (greeting: string, lines: readonly string[]): MailContent =>
  content({
    subject: 'Your limits in Sheaf have changed',
    greeting,
    lines: [
      'An operator of this Sheaf has changed what your account may have. What you have already stays.',
      ...(lines.length > 0 ? lines : ['From now on the limits of everybody go for you, too.']),
    ],
    ending: 'If you have questions, please ask the operator of this installation.',
  });
