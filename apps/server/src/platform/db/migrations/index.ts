import { accounts } from './001-accounts.ts';
import { links } from './002-links.ts';
import { listings } from './003-listings.ts';
import { authorizations } from './004-authorizations.ts';
import { weblinks } from './005-weblinks.ts';
import { handoffs } from './006-handoffs.ts';
import { sharingPeople } from './007-sharing-people.ts';
import { subscriptions } from './008-subscriptions.ts';
import { secondFactors } from './009-second-factors.ts';
import { closing } from './010-closing.ts';
import { encryption } from './011-encryption.ts';
import { notices } from './012-notices.ts';
import { leftovers } from './013-leftovers.ts';
import { changes } from './014-changes.ts';
import { nameClaims } from './015-name-claims.ts';
import { knownDevices } from './016-known-devices.ts';
import { refunds } from './017-refunds.ts';
import { signUps } from './018-sign-ups.ts';
import { transfers } from './019-transfers.ts';
import { jobs } from './020-jobs.ts';
import { transfersBetweenLinks } from './021-transfers-between-links.ts';
import { plannedFolders } from './022-planned-folders.ts';
import { transferSpeeds } from './023-transfer-speeds.ts';
import { mirrors } from './024-mirrors.ts';
import { schedules } from './025-schedules.ts';
import { transferBandwidth } from './026-transfer-bandwidth.ts';
import { replacedVersions } from './027-replaced-versions.ts';
import { undoResults } from './028-undo-results.ts';
import { search } from './029-search.ts';
import { schedulePauses } from './031-schedule-pauses.ts';
import { uploads } from './032-uploads.ts';
import { webAddresses } from './033-web-addresses.ts';
import { goneListings } from './034-gone-listings.ts';
import { appPasswords } from './050-app-passwords.ts';
import { dav } from './051-dav.ts';
import { people } from './055-people.ts';
import { vaults } from './063-vaults.ts';
import { journal } from './070-journal.ts';
import { places } from './072-places.ts';
import { knowledge } from './074-knowledge.ts';
import { s3 } from './076-s3.ts';
import { shareChoices } from './084-share-choices.ts';
import { sharesForUploads } from './086-shares-for-uploads.ts';
import { sharesOfSeveral } from './087-shares-of-several.ts';
import { replacedFiles } from './092-replaced-files.ts';
import { overview } from './094-overview.ts';
import { limits } from './096-limits.ts';
import { s3Sessions } from './100-s3-sessions.ts';
import { sealedShares } from './102-sealed-shares.ts';
import { vaultPasskeys } from './103-vault-passkeys.ts';
import { agents } from './104-agents.ts';
import { providerSessions } from './106-provider-sessions.ts';
import { operatorsOfProviders } from './107-operators-of-providers.ts';
import { idempotentTransfers } from './108-idempotent-transfers.ts';
import { directories } from './109-directories.ts';
import { sftpKeys } from './110-sftp-keys.ts';
import { deviceRequests } from './111-device-requests.ts';
import { vaultsForMembers } from './112-vaults-for-members.ts';
import { hints } from './113-hints.ts';
import { searchFilters } from './114-search-filters.ts';
import { searchGone } from './115-search-gone.ts';
import type { Migration } from './migration.ts';

/** In the order in which they are applied. */
export const migrations: readonly Migration[] = [
  accounts,
  links,
  listings,
  authorizations,
  weblinks,
  handoffs,
  sharingPeople,
  subscriptions,
  secondFactors,
  closing,
  encryption,
  notices,
  leftovers,
  changes,
  nameClaims,
  knownDevices,
  refunds,
  signUps,
  transfers,
  jobs,
  transfersBetweenLinks,
  plannedFolders,
  transferSpeeds,
  mirrors,
  schedules,
  transferBandwidth,
  replacedVersions,
  undoResults,
  search,
  schedulePauses,
  uploads,
  webAddresses,
  goneListings,
  appPasswords,
  dav,
  people,
  vaults,
  journal,
  places,
  knowledge,
  s3,
  shareChoices,
  sharesForUploads,
  sharesOfSeveral,
  replacedFiles,
  overview,
  limits,
  s3Sessions,
  sealedShares,
  vaultPasskeys,
  agents,
  providerSessions,
  operatorsOfProviders,
  idempotentTransfers,
  directories,
  sftpKeys,
  deviceRequests,
  vaultsForMembers,
  hints,
  searchFilters,
  searchGone,
];
