import { AppError } from '@sheaf/contract';
import { readEmail } from '#/identity/account/rules.ts';
import type { Clock } from '#/platform/clock.ts';
import type { ScimMembership, Speaker } from './membership.ts';
import { userKind } from './protocol/attributes.ts';
import { ScimError } from './protocol/errors.ts';
import { type Json, folded, isJson } from './protocol/filter.ts';
import type { Resource } from './protocol/resource.ts';
import { type Resources, createResources, refuse } from './resources.ts';
import type { ScimStore, UserRow } from './store.ts';

/** What the resources of a directory need. */
export interface DirectoryDeps {
  readonly store: ScimStore;
  readonly membership: ScimMembership;
  /** Where resources are: `https://…/scim/v2`. */
  readonly address: string;
  readonly newId: () => string;
  readonly now: Clock;
}

const taken = 'Somebody has this user name or this e-mail address already.';

/** The people of a directory (RFC 7643, section 4.1). */
export function createScimUsers({ store, membership, address, newId, now }: DirectoryDeps): Resources {
  /** Stores what the directory says now, and makes it so. When it cannot be, the row is what it was. */
  async function replace(speaker: Speaker, row: UserRow, resource: Resource): Promise<UserRow> {
    const changed: UserRow = { ...row, ...columnsOf(resource), version: row.version + 1, changedAt: now() };
    refuse(await store.replaceUser(changed, row.version), taken);
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
    return changed;
  }

  return createResources<UserRow>(
    {
      kind: userKind,
      gone: 'There is no such person.',
      find: store.findUser,
      columns: { key: 'userName', joined: 'groups', hasText: true },
      pages: store.users,
      window: store.userWindow,
      own: writtenOf,
      async shown(rows) {
        const groups = Map.groupBy(await store.groupsOf(rows.map(({ id }) => id)), ({ userId }) => userId);
        return rows.map((row) => ({
          ...writtenOf(row),
          groups: (groups.get(row.id) ?? []).map(({ id, name }) => ({
            value: id,
            $ref: `${address}/Groups/${id}`,
            display: name,
            type: 'direct',
          })),
        }));
      },
      written: async (row) => writtenOf(row),
      async insert(speaker, resource) {
        const [at, columns] = [now(), columnsOf(resource)];
        const row: UserRow = { id: newId(), orgId: speaker.orgId, accountId: null, ...columns, version: 1, createdAt: at, changedAt: at };
        refuse(await store.insertUser(row), taken);
        try {
          await membership.sync(speaker, row);
        } catch (error) {
          await store.removeUser(row.orgId, row.id);
          throw error;
        }
        return row;
      },
      replace,
      async remove(speaker, row) {
        await membership.remove(speaker, row);
        await store.removeUser(row.orgId, row.id);
        // Another request may have made them a member in between.
        await membership.remove(speaker, row);
      },
    },
    address,
  );
}

const writtenOf = ({ resource, active }: UserRow): Json => ({ ...(JSON.parse(resource) as Json), active: active === 1 });

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
