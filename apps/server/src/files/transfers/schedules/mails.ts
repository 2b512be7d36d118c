import { type MailContent, content } from '#/platform/mail/content.ts';

interface About {
  readonly name: string;
  readonly schedule: string;
  readonly page: string;
}

const action = (page: string) => ({ title: 'See the transfer', link: page });

/** Tells that a scheduled transfer failed, or stopped to ask. */
export const scheduleFailedMail = ({
  name,
  schedule,
  page,
  why,
  asks,
}: About & { readonly why: string; readonly asks: boolean }): MailContent =>
  content({
    subject: asks ? `The scheduled transfer ${schedule} needs a decision` : `The scheduled transfer ${schedule} failed`,
    greeting: name,
    lines: [
      asks ? 'A scheduled transfer has stopped before it changed anything.' : 'A scheduled transfer did not complete.',
      `${schedule}: ${why}`,
      'It will be tried again at its next scheduled time.',
    ],
    action: action(page),
    ending: 'While it keeps failing, you get this message at most once a day.',
  });

/** Tells that a scheduled transfer did not start in time. */
export const scheduleMissedMail = ({
  name,
  schedule,
  page,
  at,
  isRunning,
}: About & { readonly at: string; readonly isRunning: boolean }): MailContent =>
  content({
    subject: `The scheduled transfer ${schedule} did not run in time`,
    greeting: name,
    lines: [
      `${schedule} was to run at ${at}.`,
      isRunning
        ? 'It did not, because its last run had not ended.'
        : 'It did not, because Sheaf was not running then. It runs now instead, once.',
    ],
    action: action(page),
    ending: 'You get this message at most once a day.',
  });
