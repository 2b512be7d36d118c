import type { Clock } from '#/platform/clock.ts';
import type { ScimMembership, Speaker } from './membership.ts';
import { groupKind } from './protocol/attributes.ts';
import { ScimError } from './protocol/errors.ts';
import { type Json, folded, isJson, parseFilter } from './protocol/filter.ts';
import { applyPatch } from './protocol/patch.ts';
import { type Resource, readResource } from './protocol/resource.ts';
import { type Query, collect, timeOf, versionTag, wantedOf } from './query.ts';
import type { GroupRow, ScimStore } from './store.ts';
import { check, refuse } from './users.ts';

interface Deps {
  readonly store: ScimStore;
  readonly membership: ScimMembership;
  /** Where resources are: `https://…/scim/v2`. */
  readonly address: string;
  readonly newId: () => string;
  readonly now: Clock;
}

export type ScimGroups = ReturnType<typeof createScimGroups>;

/** The groups of a directory (RFC 7644). An admin of the organisation gives each a role there. Rejects with ScimError. */
export function createScimGroups({ store, membership, address, newId, now }: Deps) {
  async function shown(rows: readonly GroupRow[]): Promise<Json[]> {
    const members = Map.groupBy(await store.membersOf(rows.map(({ id }) => id)), ({ groupId }) => groupId);
    return rows.map((row) => ({
      schemas: [groupKind.schema],
      id: row.id,
      displayName: row.name,
      ...(row.externalId !== null && { externalId: row.externalId }),
      members: (members.get(row.id) ?? []).map(({ userId, userNameKey }) => ({
        value: userId,
        $ref: `${address}/Users/${userId}`,
        display: userNameKey,
        type: 'User',
      })),
      meta: {
        resourceType: 'Group',
        created: timeOf(row.createdAt),
        lastModified: timeOf(row.changedAt),
        location: `${address}/Groups/${row.id}`,
        version: versionTag(row.version),
      },
    }));
  }
  const one = async (row: GroupRow): Promise<Json> => (await shown([row]))[0] ?? {};

  async function* pages(orgId: string, by: Parameters<ScimStore['groups']>[1]): AsyncGenerator<Json[]> {
    for await (const rows of store.groups(orgId, by)) yield shown(rows);
  }

  async function find({ orgId }: Speaker, id: string): Promise<GroupRow> {
    const row = await store.findGroup(orgId, id);
    if (!row) throw new ScimError(404, 'There is no such group.');
    return row;
  }

  async function put(speaker: Speaker, row: GroupRow, resource: Resource, version?: number): Promise<Json> {
    const { stored, changed } = await store.putGroup(row, memberIds(resource), version);
    refuse(stored, 'group');
    await membership.syncAll(speaker, changed);
    return one(row);
  }

  const replace = (speaker: Speaker, row: GroupRow, resource: Resource): Promise<Json> =>
    put(speaker, { ...row, ...columnsOf(resource), version: row.version + 1, changedAt: now() }, resource, row.version);

  return {
    async list({ orgId }: Speaker, { filter: text, startIndex, count }: Query) {
      const filter = text === undefined ? undefined : parseFilter(text);
      const [name, externalId] = [wantedOf(filter, 'displayName'), wantedOf(filter, 'externalId')];
      const by = { ...(name !== undefined && { nameKey: folded(name) }), ...(externalId !== undefined && { externalId }) };
      return collect(groupKind, pages(orgId, by), { ...(filter && { filter }), startIndex, count });
    },
    get: async (speaker: Speaker, id: string): Promise<Json> => one(await find(speaker, id)),

    create(speaker: Speaker, body: unknown): Promise<Json> {
      const at = now();
      const resource = readResource(groupKind, body);
      const row = { id: newId(), orgId: speaker.orgId, role: 'member', ...columnsOf(resource), version: 1, createdAt: at, changedAt: at };
      return put(speaker, row, resource);
    },

    async replace(speaker: Speaker, id: string, body: unknown, condition: string | undefined): Promise<Json> {
      const row = await find(speaker, id);
      check(row, condition);
      return replace(speaker, row, readResource(groupKind, body));
    },

    async patch(speaker: Speaker, id: string, body: unknown, condition: string | undefined): Promise<Json> {
      const row = await find(speaker, id);
      check(row, condition);
      const members = (await store.membersOf([row.id])).map(({ userId }) => ({ value: userId }));
      const before = {
        displayName: row.name,
        ...(row.externalId !== null && { externalId: row.externalId }),
        ...(members.length > 0 && { members }),
      };
      return replace(speaker, row, applyPatch(groupKind, before, body));
    },

    async remove(speaker: Speaker, id: string, condition: string | undefined): Promise<void> {
      const row = await find(speaker, id);
      check(row, condition);
      await membership.syncAll(speaker, await store.removeGroup(row.orgId, row.id));
    },
  };
}

const columnsOf = (resource: Resource) => ({
  name: String(resource['displayName']),
  nameKey: folded(String(resource['displayName'])),
  externalId: typeof resource['externalId'] === 'string' ? resource['externalId'] : null,
});

function memberIds(resource: Json): string[] {
  const members: readonly unknown[] = Array.isArray(resource['members']) ? resource['members'] : [];
  return [...new Set(members.map((member) => (isJson(member) ? member['value'] : undefined)).filter((id) => typeof id === 'string'))];
}
