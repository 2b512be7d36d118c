import { type MailContent, content } from '#/platform/mail/content.ts';

interface Used {
  /** Salutation of the share's owner. */
  readonly greeting: string;
  /** The shared item. */
  readonly name: string;
  /** The owner's page of shares. */
  readonly page: string;
}

/** Tells the owner of a share that somebody has opened it. */
export const openedMail = ({ greeting, name, page }: Used): MailContent =>
  content({
    subject: `Somebody opened your link to ${name}`,
    greeting,
    lines: [`Somebody opened your public link to ${name}. You get at most one message a day for each link.`],
    action: { title: 'See your shared links', link: page },
    ending: 'To stop these messages, open the settings of this link and turn them off.',
  });

/** Tells the owner of a share that somebody has uploaded into it. */
export const uploadedMail = ({ greeting, name, page }: Used): MailContent =>
  content({
    subject: `Somebody uploaded files to ${name}`,
    greeting,
    lines: [`Somebody uploaded files to ${name} by your public link. You get at most one message a day for each link.`],
    action: { title: 'See your shared links', link: page },
    ending: 'To stop these messages, open the settings of this link and turn them off.',
  });
