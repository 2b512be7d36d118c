import type { Db } from '#/platform/db/schema/engine.ts';
import { createDirectoryStore } from './directory-store.ts';
import { createOrgDirectory } from './directory.ts';
import { createInvitationStore } from './invitation-store.ts';
import { createOrgInvitations } from './invitations.ts';
import { createMemberStore } from './member-store.ts';
import { createOrgMembers } from './members.ts';
import { createOrgPaying } from './paying.ts';
import { createOrgs } from './service.ts';

type Parts = Parameters<typeof createOrgs>[0] & Parameters<typeof createOrgInvitations>[0] & Parameters<typeof createOrgPaying>[0];
interface Deps extends Omit<Parts, 'store' | 'memberStore' | 'invitationStore'> {
  readonly db: Db;
  readonly store: Parameters<typeof createOrgs>[0]['store'];
}

/** Composes the parts of organisations. */
export function createOrganisations({ db, ...deps }: Deps) {
  const parts = { ...deps, memberStore: createMemberStore(db), invitationStore: createInvitationStore(db) };
  return {
    orgs: createOrgs(parts),
    orgMembers: createOrgMembers(parts),
    orgInvitations: createOrgInvitations({ ...parts, store: parts.invitationStore }),
    orgPaying: createOrgPaying(parts),
    orgDirectory: createOrgDirectory({ ...parts, directoryStore: createDirectoryStore(db) }),
  };
}
