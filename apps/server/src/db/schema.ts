import type { AccountTables } from './tables/accounts.ts';
import type { AuditTables } from './tables/audit.ts';
import type { AuthorizationTables } from './tables/authorizations.ts';
import type { EncryptionTables } from './tables/encryption.ts';
import type { HandoffTables } from './tables/handoffs.ts';
import type { JobTables } from './tables/jobs.ts';
import type { LeftoverTables } from './tables/leftovers.ts';
import type { LinkTables } from './tables/links.ts';
import type { ListingTables } from './tables/listings.ts';
import type { NameClaimTables } from './tables/name-claims.ts';
import type { NoticeTables } from './tables/notices.ts';
import type { OrgTables } from './tables/orgs.ts';
import type { SecondFactorTables } from './tables/second-factors.ts';
import type { SpaceTables } from './tables/spaces.ts';
import type { SubscriptionTables } from './tables/subscriptions.ts';
import type { WeblinkTables } from './tables/weblinks.ts';

/** Every table; each noun's are written in a file of `tables/` and created by a migration. Columns are camelCase, tables singular. */
export interface Database
  extends
    AccountTables,
    AuditTables,
    AuthorizationTables,
    EncryptionTables,
    HandoffTables,
    JobTables,
    LeftoverTables,
    LinkTables,
    ListingTables,
    NameClaimTables,
    NoticeTables,
    OrgTables,
    SecondFactorTables,
    SpaceTables,
    SubscriptionTables,
    WeblinkTables {}
