import type { Accounts } from '#/identity/account/service.ts';
import type { Platform } from '#/platform/compose.ts';
import type { LimitOf } from '#/platform/limit-of.ts';
import { createAuthorization } from './authorization/authorization.ts';
import type { Linking } from './connections/compose.ts';
import { createGrantedLinks } from './links/granted.ts';
import { createOwners } from './links/owner.ts';
import { createSaving } from './links/saving.ts';
import { createLinks } from './links/service.ts';
import type { LinkStore } from './links/store.ts';
import { createProviders } from './providers/service.ts';
import { createImporting } from './rclone/importing.ts';
import { createLinkFiles } from './rclone/service.ts';
import { createLinkFileStore } from './rclone/store.ts';

type LinkDeps = Parameters<typeof createLinks>[0];
type OwnerDeps = Parameters<typeof createOwners>[0];

interface Deps extends Pick<LinkDeps, 'spaces'> {
  /** What is kept of a link's files, and what its service tells of them. */
  readonly files: { readonly forgetLink: LinkDeps['forgetPictures']; readonly endHints: LinkDeps['endHints'] };
  readonly rights: { readonly find: OwnerDeps['findMembership']; readonly memberships: LinkDeps['memberships'] };
  readonly subscriptions: Pick<OwnerDeps, 'hasOrgPlan'>;
  readonly linking: Linking;
  readonly store: LinkStore;
  readonly accounts: Accounts;
  readonly limitOf: LimitOf;
}

/** Builds links and the ways to create them: dialogs, authorization, and rclone files. */
export function composeLinks(
  { db, log, now, newId, throttle, publicUrl }: Platform,
  { linking, store, accounts, limitOf, rights, subscriptions, spaces, files }: Deps,
) {
  const { vault, dialer, findDefinition, appOf, connections, revoking } = linking;
  const owners = createOwners({ findMembership: rights.find, hasOrgPlan: subscriptions.hasOrgPlan });
  const saving = createSaving({ store, vault, limitOf, newId, now });
  const parts = { vault, dialer, findDefinition, appOf, connections, revoking, now };
  const links = createLinks({
    ...parts,
    store,
    saving,
    owners,
    memberships: rights.memberships,
    spaces,
    forgetPictures: files.forgetLink,
    endHints: files.endHints,
  });
  const authorizations = createAuthorization({
    ...parts,
    db,
    links: createGrantedLinks({ store, saving, owners, connections }),
    throttle,
    publicUrl,
    onTrouble: (error, provider) => log.warn({ err: error, provider }, 'authorization failed'),
  });
  const linkFileStore = createLinkFileStore(db);
  return {
    links,
    authorizations,
    providers: createProviders(appOf),
    linkFiles: createLinkFiles({ store: linkFileStore, accounts, throttle, vault, now }),
    importing: createImporting({ store: linkFileStore, links, authorizations }),
  };
}
