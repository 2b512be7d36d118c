import { scimPath } from '@sheaf/contract';
import type { Platform } from '#/platform/compose.ts';
import type { OrgDirectory, SaidRoles } from '#/sharing/orgs/directory.ts';
import type { OrgRights } from '#/sharing/orgs/rights.ts';
import { createScimGroups } from './groups.ts';
import { createScimMembership } from './membership.ts';
import { createDirectoryService } from './service.ts';
import { createScimStore } from './store.ts';
import { createScimTokenStore } from './token-store.ts';
import { createScimUsers } from './users.ts';

interface Deps {
  readonly orgDirectory: OrgDirectory;
  readonly rights: OrgRights;
}

/** Builds the service of directories, and the memberships that a sign-in at a provider gives. */
export function composeDirectories({ db, publicUrl, newId, now }: Platform, { orgDirectory, rights }: Deps) {
  const store = createScimStore(db);
  const membership = createScimMembership({ store, directory: orgDirectory });
  const address = publicUrl + scimPath;
  const parts = { store, membership, address, newId, now };
  const service = createDirectoryService({ ...parts, tokenStore: createScimTokenStore(db), rights, publicUrl });
  return {
    service,
    users: createScimUsers(parts),
    groups: createScimGroups(parts),
    address,
    /** Follows what a provider of the operator's own says; returns organisations of the settings that do not exist. */
    async signedIn(said: SaidRoles & Parameters<typeof service.joinProven>[0]): Promise<string[]> {
      const absent = await orgDirectory.followProvider(said);
      await service.joinProven(said);
      return absent;
    },
  };
}
