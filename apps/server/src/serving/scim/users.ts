import { AppError } from '@sheaf/contract';
import { readEmail } from '#/identity/account/rules.ts';
import type { Clock } from '#/platform/clock.ts';
import type { ScimMembership, Speaker } from './membership.ts';
import { userKind } from './protocol/attributes.ts';
import { ScimError } from './protocol/errors.ts';
import { type Json, folded, isJson, parseFilter } from './protocol/filter.ts';
import { applyPatch } from './protocol/patch.ts';
import { type Resource, readResource } from './protocol/resource.ts';
import { type Query, collect, namesVersion, timeOf, versionTag, wantedOf } from './query.ts';
import type { ScimStore, Stored, UserRow } from './store.ts';

interface Deps {
  readonly store: ScimStore;
  readonly membership: ScimMembership;
  /** Where resources are: `https://…/scim/v2`. */
  readonly address: string;
  readonly newId: () => string;
  readonly now: Clock;
}

export type ScimUsers = ReturnType<typeof createScimUsers>;

/** The people of a directory (RFC 7644). Rejects with ScimError. */
export function createScimUsers({ store, membership, address, newId, now }: Deps) {
  async function shown(rows: readonly UserRow[]): Promise<Json[]> {
    const groups = Map.groupBy(await store.groupsOf(rows.map(({ id }) => id)), ({ userId }) => userId);
    return rows.map((row) => ({
      schemas: [userKind.schema],
      id: row.id,
      ...(JSON.parse(row.resource) as Json),
      active: row.active === 1,
      groups: (groups.get(row.id) ?? []).map(({ id, name }) => ({
        value: id,
        $ref: `${address}/Groups/${id}`,
        display: name,
        type: 'direct',
      })),
      meta: {
        resourceType: 'User',
        created: timeOf(row.createdAt),
        lastModified: timeOf(row.changedAt),
        location: `${address}/Users/${row.id}`,
        version: versionTag(row.version),
      },
    }));
  }
  const one = async (row: UserRow): Promise<Json> => (await shown([row]))[0] ?? {};

  async function* pages(orgId: string, by: Parameters<ScimStore['users']>[1]): AsyncGenerator<Json[]> {
    for await (const rows of store.users(orgId, by)) yield shown(rows);
  }

  async function find({ orgId }: Speaker, id: string): Promise<UserRow> {
    const row = await store.findUser(orgId, id);
    if (!row) throw new ScimError(404, 'There is no such person.');
    return row;
  }

  /** Stores what the directory says now, and makes it so. When it cannot be, the row is what it was. */
  async function replace(speaker: Speaker, row: UserRow, resource: Resource): Promise<Json> {
    const changed: UserRow = { ...row, ...columnsOf(resource), version: row.version + 1, changedAt: now() };
    refuse(await store.replaceUser(changed, row.version), 'person');
    const isOther = changed.emailKey !== row.emailKey;
    try {
      // Another address is another person, who has to agree anew.
      if (isOther) await membership.remove(speaker, row);
      if (isOther) await store.bind(row.id, null);
      await membership.sync(speaker, isOther ? { ...changed, accountId: null } : changed);
    } catch (error) {
      await store.replaceUser({ ...row, version: changed.version + 1 }, changed.version);
      throw error;
    }
    return one(changed);
  }

  return {
    async list({ orgId }: Speaker, { filter: text, startIndex, count }: Query) {
      const filter = text === undefined ? undefined : parseFilter(text);
      const [userName, externalId] = [wantedOf(filter, 'userName'), wantedOf(filter, 'externalId')];
      const by = { ...(userName !== undefined && { userNameKey: folded(userName) }), ...(externalId !== undefined && { externalId }) };
      return collect(userKind, pages(orgId, by), { ...(filter && { filter }), startIndex, count });
    },
    get: async (speaker: Speaker, id: string): Promise<Json> => one(await find(speaker, id)),

    async create(speaker: Speaker, body: unknown): Promise<Json> {
      const at = now();
      const columns = columnsOf(readResource(userKind, body));
      const row: UserRow = { id: newId(), orgId: speaker.orgId, accountId: null, ...columns, version: 1, createdAt: at, changedAt: at };
      refuse(await store.insertUser(row), 'person');
      try {
        await membership.sync(speaker, row);
      } catch (error) {
        await store.removeUser(row.orgId, row.id);
        throw error;
      }
      return one(row);
    },

    async replace(speaker: Speaker, id: string, body: unknown, condition: string | undefined): Promise<Json> {
      const row = await find(speaker, id);
      check(row, condition);
      return replace(speaker, row, readResource(userKind, body));
    },

    async patch(speaker: Speaker, id: string, body: unknown, condition: string | undefined): Promise<Json> {
      const row = await find(speaker, id);
      check(row, condition);
      const before = { ...(JSON.parse(row.resource) as Json), active: row.active === 1 };
      return replace(speaker, row, applyPatch(userKind, before, body));
    },

    async remove(speaker: Speaker, id: string, condition: string | undefined): Promise<void> {
      const row = await find(speaker, id);
      check(row, condition);
      await membership.remove(speaker, row);
      await store.removeUser(row.orgId, row.id);
    },
  };
}

/** Throws 412 when the condition names another version than the row's. */
export function check({ version }: { readonly version: number }, condition: string | undefined): void {
  if (condition !== undefined && !namesVersion(condition, version)) throw new ScimError(412, 'It has changed since.');
}

/** Throws for what could not be stored. */
export function refuse(stored: Stored, what: 'person' | 'group'): void {
  if (stored === 'taken')
    throw new ScimError(
      'uniqueness',
      what === 'person' ? 'Somebody has this user name or this e-mail address already.' : 'A group has this name already.',
    );
  if (stored === 'changed') throw new ScimError(412, 'It has changed since.');
}

/** What a person's resource becomes in the database. `active` is true unless the directory says otherwise. */
function columnsOf({ active = true, ...resource }: Resource) {
  return {
    userNameKey: folded(String(resource['userName'])),
    externalId: typeof resource['externalId'] === 'string' ? resource['externalId'] : null,
    emailKey: emailKeyOf(resource),
    active: active === true ? 1 : 0,
    resource: JSON.stringify(resource),
  };
}

/** The primary address, else the first, else a user name that is one. */
function emailKeyOf(resource: Json): string {
  const emails = (Array.isArray(resource['emails']) ? resource['emails'] : []).filter(isJson);
  const chosen = emails.find((email) => email['primary'] === true) ?? emails[0];
  try {
    return readEmail(String(chosen?.['value'] ?? resource['userName'])).emailKey;
  } catch (error) {
    if (error instanceof AppError) throw new ScimError('invalidValue', 'A person needs an e-mail address, in emails or as the user name.');
    throw error;
  }
}
