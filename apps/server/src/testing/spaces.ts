import type { TestContext } from 'node:test';
import {
  type Space,
  type SpaceRole,
  acceptSpaceInvitation,
  createSpace,
  inviteToSpace,
  linkUriOf,
  premiumTrial,
  products,
} from '@sheaf/contract';
import type { TestApp, User } from './app.ts';
import { type LinkApp, addSftp, linkApp } from './links.ts';
import { mailedToken } from './outbox.ts';

export const invitationPage = '/invitation/space';

export interface SpaceApp extends LinkApp {
  /** The owner's link that holds the files. */
  readonly storageId: string;
  readonly space: Space;
}

type Options = Parameters<typeof linkApp>[1] & {
  /** Spaces come with a trial, instead of being included. */
  readonly hasTrial?: boolean;
};

/** An app with a space "Team" over the folder /projects/team of its user's link. */
export async function spaceApp(t: TestContext, { hasTrial = false, settings = {}, ...options }: Options = {}): Promise<SpaceApp> {
  const app = await linkApp(t, { ...options, settings: { ...(!hasTrial && { SHEAF_BILLING: 'off' }), ...settings } });
  if (hasTrial) await app.user.ask(premiumTrial, { trialDays: products.premium.trialDays });
  const { userLinkId: storageId } = await addSftp(app.user, 'NAS');
  for (const file of ['/projects/team/plan.txt', '/projects/team/sub/deep.txt', '/projects/team2/other.txt', '/projects/secret.txt'])
    app.source.put(file, `bytes of ${file}`);
  const { space } = await app.user.ask(createSpace, { storageLinkUri: linkUriOf(storageId, '/projects/team'), spaceName: 'Team' });
  return { ...app, storageId, space };
}

/** Invites somebody who has an account and lets them accept by the token of the mail. */
export async function join(
  app: TestApp & { readonly user: User },
  { spaceOid }: Space,
  member: User,
  role: Exclude<SpaceRole, 'owner'>,
): Promise<Space> {
  await app.user.ask(inviteToSpace, { spaceOid, emails: member.email, role });
  const token = await mailedToken(app, member.email, invitationPage);
  return (await member.ask(acceptSpaceInvitation, { token })).space;
}
