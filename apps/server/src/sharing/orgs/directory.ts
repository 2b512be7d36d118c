import type { GivenOrgRole } from '@sheaf/contract';
import type { Access } from '#/access/access.ts';
import type { Subscriptions } from '#/billing/subscriptions/service.ts';
import { readEmail } from '#/identity/account/rules.ts';
import type { Background } from '#/platform/background.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { hashToken, newToken } from '#/platform/tokens.ts';
import type { DirectoryStore, Outcome, Source, Wish } from './directory-store.ts';
import type { InvitationStore } from './invitation-store.ts';
import { invitationPage, invitationSeconds } from './invitations.ts';
import { invitationMail, removedMail } from './mails.ts';

interface Deps {
  readonly directoryStore: DirectoryStore;
  readonly invitationStore: Pick<InvitationStore, 'list' | 'put' | 'removeTo'>;
  readonly subscriptions: Pick<Subscriptions, 'hasOrgPlan' | 'unitsOf'>;
  /** Applies changes of a user's memberships at once. */
  readonly forgetAccess: Access['forget'];
  readonly mailer: Mailer;
  readonly background: Background;
  readonly publicUrl: string;
  readonly newId: () => string;
  readonly now: Clock;
}

/** A person whom a directory wants in an organisation. */
interface Invited {
  readonly orgId: string;
  readonly email: string;
  readonly role: GivenOrgRole;
}

/** A sign-in provider's claims about roles of an account that has just signed in. */
export interface SaidRoles {
  readonly account: Wish['account'];
  readonly provider: string;
  readonly title: string;
  /** Of each organisation that the settings name: the role, or undefined for none. */
  readonly roles: ReadonlyMap<string, GivenOrgRole | undefined>;
}

export type OrgDirectory = ReturnType<typeof createOrgDirectory>;

/** Memberships of organisations that external directories give and take. They never buy places, and never touch the owner. */
export function createOrgDirectory({
  directoryStore,
  invitationStore,
  subscriptions,
  forgetAccess,
  mailer,
  background,
  publicUrl,
  newId,
  now,
}: Deps) {
  /** Brings one membership to the directory's wish. */
  async function follow(wish: Wish, source: Source): Promise<Outcome> {
    const { orgId, account } = wish;
    const units = await unitsOf(orgId);
    const { outcome, orgName } = await directoryStore.follow(wish, source, units, newId, now());
    if (outcome === 'removed') {
      forgetAccess(account.id, orgId);
      background.start('mail organisation removal', () => mailer.send({ to: account.email, ...removedMail(orgName, account.name) }));
    } else if (outcome === 'joined' || outcome === 'changed') forgetAccess(account.id);
    return outcome;
  }

  const unitsOf = async (orgId: string): Promise<number> =>
    // An organisation whose plan has ended keeps its members and admits no more.
    (await subscriptions.hasOrgPlan(orgId)) ? subscriptions.unitsOf(orgId) : 0;

  return {
    follow,

    /** Invites a person for a directory, unless an invitation to that role is open. The mail names the owner as the inviter. */
    async inviteFor({ orgId, email: typed, role }: Invited, { title, id: givenBy }: Source): Promise<'invited' | 'full'> {
      const owner = await directoryStore.ownerOf(orgId);
      if (!owner) return 'full';
      const { email, emailKey } = readEmail(typed);
      const at = now();
      const open = (await invitationStore.list(orgId, at)).find((invitation) => invitation.emailKey === emailKey);
      if (open?.role === role) return 'invited';
      const token = newToken();
      const row = { id: newId(), orgId, email, emailKey, role, tokenHash: hashToken(token), invitedBy: owner.accountId, givenBy };
      const dates = { createdAt: at, expiresAt: at + invitationSeconds };
      const by = { actorName: title, at };
      const outcome = await invitationStore.put({ ...row, ...dates }, { orgId, name: owner.orgName }, await unitsOf(orgId), by);
      if (outcome === 'full' || outcome === 'forbidden') return 'full';
      const content = invitationMail(owner.orgName, owner.name, role, `${publicUrl}${invitationPage}#token=${token}`);
      if (outcome === 'invited') background.start('mail organisation invitation', () => mailer.send({ to: email, ...content }));
      return 'invited';
    },

    /** Takes back the invitation to an address, if there is one. */
    async withdrawFor(orgId: string, emailKey: string, { title: actorName }: Source): Promise<void> {
      const owner = await directoryStore.ownerOf(orgId);
      if (owner) await invitationStore.removeTo({ orgId, name: owner.orgName }, emailKey, { actorName, at: now() });
    },

    /** Applies a provider's claims at a sign-in. Members whom people have invited stay as they are. Returns organisations that do not exist. */
    async followProvider({ account, provider, title, roles }: SaidRoles): Promise<string[]> {
      const absent: string[] = [];
      for (const [orgId, role] of roles)
        if ((await follow({ orgId, account, role }, { id: provider, title, isAuthority: false })) === 'absent') absent.push(orgId);
      return absent;
    },
  };
}
