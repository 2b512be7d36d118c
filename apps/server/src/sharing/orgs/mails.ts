import type { OrgRole } from '@sheaf/contract';
import { type MailContent, content } from '#/platform/mail/content.ts';

/** Invites somebody to join; the link is valid for two weeks. */
export const invitationMail = (org: string, inviter: string, role: OrgRole, link: string): MailContent =>
  content({
    subject: `${inviter} invites you to ${org}`,
    greeting: 'there',
    lines: [
      `${inviter} would like you to join ${org} on Sheaf${role === 'admin' ? ' as an admin' : ''}. Members share the storage that the organisation has linked, and pay nothing themselves.`,
      'The link works for two weeks, for this e-mail address only.',
    ],
    action: { title: 'See the invitation', link },
    ending: 'If you do not know what this is about, you can ignore this message.',
  });

export const removedMail = (org: string, name: string): MailContent =>
  content({
    subject: `You are no longer a member of ${org}`,
    greeting: name,
    lines: [
      `You were removed from ${org} on Sheaf. You can no longer open its linked storage, and your public links to its files have ended. Your own links have not changed.`,
    ],
    ending: 'If you think that this is a mistake, please ask the owner of the organisation.',
  });

export const transferredMail = (org: string, former: string, name: string, link: string): MailContent =>
  content({
    subject: `You are now the owner of ${org}`,
    greeting: name,
    lines: [
      `${former} has made you the owner of ${org} on Sheaf. You now manage its subscription and billing; the current card is charged until you replace it.`,
    ],
    action: { title: 'See the billing', link },
    ending: `If this was not agreed with you, please talk to ${former}.`,
  });

export const closedMail = (org: string, owner: string, name: string): MailContent =>
  content({
    subject: `${org} was closed`,
    greeting: name,
    lines: [`${owner} has closed ${org} on Sheaf. Its linked storage can no longer be opened there; the files themselves have not moved.`],
    ending: 'Your own account and links have not changed.',
  });
