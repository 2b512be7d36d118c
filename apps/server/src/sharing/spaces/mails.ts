import type { SpaceRole } from '@sheaf/contract';
import { type MailContent, content } from '#/platform/mail/content.ts';

interface About {
  /** Salutation of the recipient. */
  readonly greeting: string;
  /** The Space's name. */
  readonly name: string;
  readonly ownerName: string;
}

const rights: Readonly<Record<SpaceRole, string>> = {
  viewer: 'view and download its files',
  editor: 'view and change its files',
  manager: 'view and change its files, and invite others',
  owner: 'do everything with it',
};

interface Invitation extends About {
  readonly inviterName: string;
  readonly role: SpaceRole;
  readonly link: string;
}
/** Invites to a Space; the link is valid for two weeks. */
export const invitationMail = ({ greeting, name, inviterName, role, link }: Invitation): MailContent =>
  content({
    subject: `${inviterName} invites you to ${name}`,
    greeting,
    lines: [
      `${inviterName} invites you to the space ${name} in Sheaf. A space is a folder that several people use; you will be able to ${rights[role]}.`,
      'The link works for two weeks, with an account of this e-mail address. If you have none yet, you can create one there.',
    ],
    action: { title: 'See the invitation', link },
    ending: 'If you do not know who this is, you can ignore this message.',
  });

/** Mail to a former member. */
export const removedMail = ({ greeting, name, ownerName }: About): MailContent =>
  content({
    subject: `You are no longer a member of ${name}`,
    greeting,
    lines: [
      `You have been removed from ${name}, a space of ${ownerName}. It no longer appears among your links.`,
      'Public links that you made to its files no longer work.',
    ],
    ending: `If you think that this is a mistake, please ask ${ownerName}.`,
  });

/** Tells members that the Space has ended. */
export const endedMail = ({ greeting, name, ownerName }: About): MailContent =>
  content({
    subject: `${name} has ended`,
    greeting,
    lines: [`${ownerName} has ended the space ${name}. Its files stay where they are, but you can no longer reach them through Sheaf.`],
    ending: `If you need some of the files, please ask ${ownerName}.`,
  });

/** Tells members that the files are out of reach until the owner has Premium again. */
export const expiredMail = ({ greeting, name, ownerName }: About): MailContent =>
  content({
    subject: `The files of ${name} cannot be reached`,
    greeting,
    lines: [
      `${ownerName}'s subscription to Spaces has ended. The files of the space ${name} are still there, but they cannot be reached through Sheaf until ${ownerName} renews it.`,
    ],
    ending: 'You do not need to do anything: you stay a member.',
  });

/** Tells members that the files are out of reach for now. */
export const unlinkedMail = ({ greeting, name, ownerName }: About): MailContent =>
  content({
    subject: `The files of ${name} cannot be reached`,
    greeting,
    lines: [
      `${ownerName} has unlinked the storage that holds the files of the space ${name}. The files are still there, but they cannot be reached through Sheaf until ${ownerName} links the storage again.`,
    ],
    ending: 'You do not need to do anything: you stay a member.',
  });
