import type { Speaker } from './membership.ts';
import { groupKind } from './protocol/attributes.ts';
import { type Json, folded, isJson } from './protocol/filter.ts';
import type { Resource } from './protocol/resource.ts';
import { type Resources, createResources, refuse } from './resources.ts';
import type { GroupRow } from './store.ts';
import type { DirectoryDeps } from './users.ts';

const taken = 'A group has this name already.';

/** The groups of a directory (RFC 7643, section 4.2). An admin of the organisation gives each a role there. */
export function createScimGroups({ store, membership, address, newId, now }: DirectoryDeps): Resources {
  /** Without a version the group is a new one. */
  async function put(speaker: Speaker, row: GroupRow, resource: Resource, version?: number): Promise<GroupRow> {
    const { stored, changed } = await store.putGroup(row, memberIds(resource), version);
    refuse(stored, taken);
    await membership.syncAll(speaker, changed);
    return row;
  }

  return createResources<GroupRow>(
    {
      kind: groupKind,
      gone: 'There is no such group.',
      find: store.findGroup,
      columns: { key: 'displayName', joined: 'members', hasText: false },
      pages: store.groups,
      window: store.groupWindow,
      own: namesOf,
      async shown(rows) {
        const members = Map.groupBy(await store.membersOf(rows.map(({ id }) => id)), ({ groupId }) => groupId);
        return rows.map((row) => ({
          ...namesOf(row),
          members: (members.get(row.id) ?? []).map(({ userId, userNameKey }) => ({
            value: userId,
            $ref: `${address}/Users/${userId}`,
            display: userNameKey,
            type: 'User',
          })),
        }));
      },
      async written(row) {
        const members = (await store.membersOf([row.id])).map(({ userId }) => ({ value: userId }));
        return { ...namesOf(row), ...(members.length > 0 && { members }) };
      },
      insert(speaker, resource) {
        const at = now();
        const names = columnsOf(resource);
        return put(
          speaker,
          { id: newId(), orgId: speaker.orgId, role: 'member', ...names, version: 1, createdAt: at, changedAt: at },
          resource,
        );
      },
      replace: (speaker, row, resource) =>
        put(speaker, { ...row, ...columnsOf(resource), version: row.version + 1, changedAt: now() }, resource, row.version),
      async remove(speaker, row) {
        await membership.syncAll(speaker, await store.removeGroup(row.orgId, row.id));
      },
    },
    address,
  );
}

const namesOf = ({ name, externalId }: GroupRow): Json => ({ displayName: name, ...(externalId !== null && { externalId }) });

const columnsOf = (resource: Resource) => ({
  name: String(resource['displayName']),
  nameKey: folded(String(resource['displayName'])),
  externalId: typeof resource['externalId'] === 'string' ? resource['externalId'] : null,
});

function memberIds(resource: Json): string[] {
  const members: readonly unknown[] = Array.isArray(resource['members']) ? resource['members'] : [];
  return [...new Set(members.map((member) => (isJson(member) ? member['value'] : undefined)).filter((id) => typeof id === 'string'))];
}
