import type { AccountTables } from '#/platform/db/tables/accounts.ts';
import type { AgentTables } from '#/platform/db/tables/agents.ts';
import type { AppPasswordTables } from '#/platform/db/tables/app-passwords.ts';
import type { AuditTables } from '#/platform/db/tables/audit.ts';
import type { AuthorizationTables } from '#/platform/db/tables/authorizations.ts';
import type { DavTables } from '#/platform/db/tables/dav.ts';
import type { DeviceRequestTables } from '#/platform/db/tables/device-requests.ts';
import type { DirectoryTables } from '#/platform/db/tables/directories.ts';
import type { EncryptionTables } from '#/platform/db/tables/encryption.ts';
import type { HandoffTables } from '#/platform/db/tables/handoffs.ts';
import type { JobTables } from '#/platform/db/tables/jobs.ts';
import type { JournalTables } from '#/platform/db/tables/journal.ts';
import type { LeftoverTables } from '#/platform/db/tables/leftovers.ts';
import type { LimitTables } from '#/platform/db/tables/limits.ts';
import type { LinkTables } from '#/platform/db/tables/links.ts';
import type { ListingTables } from '#/platform/db/tables/listings.ts';
import type { NameClaimTables } from '#/platform/db/tables/name-claims.ts';
import type { NoticeTables } from '#/platform/db/tables/notices.ts';
import type { OrgTables } from '#/platform/db/tables/orgs.ts';
import type { OverviewTables } from '#/platform/db/tables/overview.ts';
import type { PeopleTables } from '#/platform/db/tables/people.ts';
import type { PlaceTables } from '#/platform/db/tables/places.ts';
import type { S3Tables } from '#/platform/db/tables/s3.ts';
import type { ScheduleTables } from '#/platform/db/tables/schedules.ts';
import type { SecondFactorTables } from '#/platform/db/tables/second-factors.ts';
import type { SpaceTables } from '#/platform/db/tables/spaces.ts';
import type { SubscriptionTables } from '#/platform/db/tables/subscriptions.ts';
import type { TransferTables } from '#/platform/db/tables/transfers.ts';
import type { UploadTables } from '#/platform/db/tables/uploads.ts';
import type { WebAddressTables } from '#/platform/db/tables/web-addresses.ts';
import type { WeblinkTables } from '#/platform/db/tables/weblinks.ts';

/** Every table; each noun's tables are declared in a file of `tables/` and created by a migration. Columns are camelCase, tables singular. */
export interface Database
  extends
    AccountTables,
    AgentTables,
    AppPasswordTables,
    AuditTables,
    AuthorizationTables,
    DavTables,
    DeviceRequestTables,
    DirectoryTables,
    EncryptionTables,
    HandoffTables,
    JobTables,
    JournalTables,
    LeftoverTables,
    LimitTables,
    LinkTables,
    ListingTables,
    NameClaimTables,
    NoticeTables,
    OrgTables,
    OverviewTables,
    PeopleTables,
    PlaceTables,
    S3Tables,
    ScheduleTables,
    SecondFactorTables,
    SpaceTables,
    SubscriptionTables,
    TransferTables,
    UploadTables,
    WebAddressTables,
    WeblinkTables {}
