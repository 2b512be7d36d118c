import type { GivenOrgRole } from '@sheaf/contract';
import type { Access } from '#/access/access.ts';
import type { Subscriptions } from '#/billing/subscriptions/service.ts';
import type { Background } from '#/platform/background.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import type { DirectoryStore, Outcome, Source, Wish } from './directory-store.ts';
import { removedMail } from './mails.ts';

interface Deps {
  readonly directoryStore: DirectoryStore;
  readonly subscriptions: Pick<Subscriptions, 'hasOrgPlan' | 'unitsOf'>;
  /** Applies changes of a user's memberships at once. */
  readonly forgetAccess: Access['forget'];
  readonly mailer: Mailer;
  readonly background: Background;
  readonly newId: () => string;
  readonly now: Clock;
}

/** What a sign-in provider says of somebody who has just signed in. */
export interface SaidRoles {
  readonly account: Wish['account'];
  readonly provider: string;
  readonly title: string;
  /** Of each organisation that the settings name: the role, or undefined for none. */
  readonly roles: ReadonlyMap<string, GivenOrgRole | undefined>;
}

export type OrgDirectory = ReturnType<typeof createOrgDirectory>;

/** Memberships of organisations that directories outside give and take. They never buy places, and never touch the owner. */
export function createOrgDirectory({ directoryStore, subscriptions, forgetAccess, mailer, background, newId, now }: Deps) {
  /** Brings one membership to what the directory says. */
  async function follow(wish: Wish, source: Source): Promise<Outcome> {
    const { orgId, account } = wish;
    // An organisation whose plan has ended keeps its members and takes no more.
    const units = (await subscriptions.hasOrgPlan(orgId)) ? await subscriptions.unitsOf(orgId) : 0;
    const { outcome, orgName } = await directoryStore.follow(wish, source, units, newId, now());
    if (outcome === 'removed') {
      forgetAccess(account.id, orgId);
      background.start('mail organisation removal', () => mailer.send({ to: account.email, ...removedMail(orgName, account.name) }));
    } else if (outcome === 'joined' || outcome === 'changed') forgetAccess(account.id);
    return outcome;
  }

  return {
    follow,

    /** Follows what a provider says at a sign-in. People whom people have brought stay as they are. Returns organisations that do not exist. */
    async followProvider({ account, provider, title, roles }: SaidRoles): Promise<string[]> {
      const absent: string[] = [];
      for (const [orgId, role] of roles)
        if ((await follow({ orgId, account, role }, { id: provider, title, isAuthority: false })) === 'absent') absent.push(orgId);
      return absent;
    },
  };
}
