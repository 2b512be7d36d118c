import type { Accounts } from '#/identity/account/service.ts';
import type { Platform } from '#/platform/compose.ts';
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

interface Deps extends OwnerDeps, Pick<LinkDeps, 'memberships' | 'spaces' | 'forgetPictures'> {
  readonly linking: Linking;
  readonly store: LinkStore;
  readonly accounts: Accounts;
}

/** Builds links and the ways to create them: dialogs, authorization, and rclone files. */
export function composeLinks(
  { db, log, now, newId, throttle, publicUrl }: Platform,
  { linking, store, accounts, memberships, spaces, forgetPictures, ...ownership }: Deps,
) {
  const { vault, dialer, findDefinition, appOf, connections, revoking } = linking;
  const owners = createOwners(ownership);
  const saving = createSaving({ store, vault, newId, now });
  const parts = { vault, dialer, findDefinition, appOf, connections, revoking, now };
  const links = createLinks({ ...parts, store, saving, owners, memberships, spaces, forgetPictures });
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
