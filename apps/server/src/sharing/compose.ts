import type { Access } from '#/access/access.ts';
import type { Subscriptions } from '#/billing/subscriptions/service.ts';
import type { Content } from '#/files/content/service.ts';
import type { Accounts } from '#/identity/account/service.ts';
import type { Links } from '#/links/links/service.ts';
import type { Platform } from '#/platform/compose.ts';
import { newPublicId } from '#/platform/ids.ts';
import type { LimitOf } from '#/platform/limit-of.ts';
import { createActivity } from './activity/service.ts';
import { createAudit } from './audit/service.ts';
import { createAuditStore } from './audit/store.ts';
import { createNotices } from './notices/service.ts';
import { createNoticeStore } from './notices/store.ts';
import { createOrganisations } from './orgs/organisations.ts';
import { createOrgRights } from './orgs/rights.ts';
import { createOrgStore } from './orgs/store.ts';
import { type Spaces, createSpaces } from './spaces/service.ts';
import { createSpaceStore } from './spaces/store.ts';
import { createDownloads } from './weblinks/downloads.ts';
import { createOpenedNotices } from './weblinks/opened-notices.ts';
import { createPasses } from './weblinks/passes.ts';
import { createPublicShares } from './weblinks/public-shares.ts';
import { createWeblinks } from './weblinks/service.ts';
import { createWeblinkStore } from './weblinks/store.ts';
import { createVisits } from './weblinks/visits.ts';
import { followWithdrawals } from './withdrawals.ts';

interface MembershipDeps {
  readonly access: Access;
  readonly accounts: Accounts;
  readonly subscriptions: Pick<Subscriptions, 'hasPremium'>;
}

/** Builds memberships of Spaces and organisations; links depend on them. */
export function composeMemberships(
  { db, now, newId, publicUrl, throttle, mailer, background }: Platform,
  { access, accounts, subscriptions: { hasPremium } }: MembershipDeps,
) {
  const store = createSpaceStore(db);
  const orgStore = createOrgStore(db);
  return {
    spaces: createSpaces({ store, access, hasPremium, accounts, throttle, mailer, background, newId, now, publicUrl }),
    orgStore,
    rights: createOrgRights(orgStore),
  };
}

interface SharingDeps extends Pick<ReturnType<typeof composeMemberships>, 'orgStore' | 'rights'> {
  readonly access: Access;
  readonly accounts: Accounts;
  readonly limitOf: LimitOf;
  readonly subscriptions: Subscriptions;
  readonly links: Pick<Links, 'prepareUnlinkingAll'>;
  readonly content: Content;
  readonly itemHistory: Parameters<typeof createActivity>[0]['history'];
  readonly spaces: Spaces;
  /** Signs the passes of visitors who entered a share's password. */
  readonly masterKey: Buffer;
}

/** Builds shares, organisations, notices and the audit log. */
export function composeSharing(
  { db, now, newId, publicUrl, throttle, mailer, background, warn }: Platform,
  { orgStore, rights, spaces, access, accounts, limitOf, subscriptions, links, content, itemHistory, masterKey }: SharingDeps,
) {
  const organisations = createOrganisations({
    db,
    store: orgStore,
    rights,
    subscriptions,
    accounts,
    throttle,
    prepareUnlinkingAll: links.prepareUnlinkingAll,
    forgetAccess: access.forget,
    mailer,
    background,
    publicUrl,
    newId,
    now,
  });
  const store = createWeblinkStore(db);
  const passes = createPasses(masterKey, now);
  const downloads = createDownloads(store, masterKey, now);
  const visits = createVisits({ store, passes, later: background.start, now });
  const audit = createAudit({ store: createAuditStore(db) });
  const weblinks = createWeblinks({ store, content, access, visits, limitOf, accounts, newId: newPublicId, now, publicUrl });
  return {
    ...organisations,
    rights,
    notices: createNotices({
      store: createNoticeStore(db),
      mailer,
      billingTime: subscriptions.time,
      publicUrl,
      now,
      onTrouble: warn('a notice could not be sent'),
    }),
    audit,
    activity: createActivity({ links: access, history: itemHistory, audit, weblinks, spaces }),
    visits,
    weblinks,
    publicShares: createPublicShares({
      store,
      content,
      links: access,
      passes,
      downloads,
      told: createOpenedNotices({ store, accounts, mailer, background, publicUrl, now }),
      throttle,
      now,
    }),
  };
}

type FollowDeps = Parameters<typeof followWithdrawals>[0];

/** Follows rights that other instances withdraw. */
export const followRights = ({ config, background, warn }: Platform, deps: Omit<FollowDeps, 'databaseUrl' | 'background' | 'onTrouble'>) =>
  followWithdrawals({
    ...deps,
    databaseUrl: config.databaseUrl,
    background,
    onTrouble: warn('changes of rights by other instances cannot be heard at the moment'),
  });
