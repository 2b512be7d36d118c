import type { TestContext } from 'node:test';
import { type GivenOrgRole, type Org, acceptOrgInvitation, inviteToOrg, showOrg } from '@sheaf/contract';
import type { User } from './app.ts';
import { type LinkApp, linkApp } from './links.ts';
import { mailedToken } from './outbox.ts';

export interface OrgApp extends LinkApp {
  /** The organisation as its owner sees it. */
  readonly org: Org;
  /** Signed in; the same as `user`. */
  readonly owner: User;
  invite(email: string, role?: GivenOrgRole): Promise<void>;
  /** A new account that has joined. */
  join(role?: GivenOrgRole): Promise<User & { readonly membershipOid: string }>;
}

/** An app with an organisation in its trial, whose links lead to a source in memory. */
export async function orgApp(t: TestContext, options: Parameters<typeof linkApp>[1] = {}): Promise<OrgApp> {
  const app = await linkApp(t, options);
  const owner = app.user;
  const { org } = await owner.ask(showOrg, { trialDays: 7, orgName: 'Acme' });
  const invite = async (email: string, role: GivenOrgRole = 'member'): Promise<void> => {
    await owner.ask(inviteToOrg, { orgOid: org.orgOid, emails: email, role });
  };
  return {
    ...app,
    org,
    owner,
    invite,
    async join(role) {
      const someone = await app.signUp();
      await invite(someone.email, role);
      const token = await mailedToken(app, someone.email, '/invitation/org');
      const joined = await someone.ask(acceptOrgInvitation, { token });
      return { ...someone, membershipOid: joined.org.orgMembershipOid };
    },
  };
}
