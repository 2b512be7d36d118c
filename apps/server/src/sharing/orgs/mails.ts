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
      `You were removed from ${org} on Sheaf. You no longer reach the storage that it has linked, and public links that you made of its files have ended. Your own links are as they were.`,
    ],
    ending: 'If you think that this is a mistake, please ask the owner of the organisation.',
  });

export const transferredMail = (org: string, former: string, name: string, link: string): MailContent =>
  content({
    subject: `You are now the owner of ${org}`,
    greeting: name,
    lines: [
      `${former} has made you the owner of ${org} on Sheaf. Its subscription and billing are yours to look after; the card that pays stays until you replace it.`,
    ],
    action: { title: 'Look at the billing', link },
    ending: `If this was not agreed with you, please talk to ${former}.`,
  });

export const closedMail = (org: string, owner: string, name: string): MailContent =>
  content({
    subject: `${org} was closed`,
    greeting: name,
    lines: [
      `${owner} has closed ${org} on Sheaf. The storage that it had linked can no longer be reached there; the files themselves lie where they lay.`,
    ],
    ending: 'Your own account and links are as they were.',
  });
