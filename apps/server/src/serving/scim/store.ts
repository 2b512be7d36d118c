import type { GivenOrgRole } from '@sheaf/contract';
import { recordAudit } from '#/platform/db/audit.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import { isTaken } from '#/platform/db/unique.ts';
import { type Act, orgEvent } from '#/sharing/orgs/events.ts';
import { groupsWhere, usersWhere } from './condition-store.ts';
import type { Condition } from './narrowing.ts';

export type UserRow = Database['scim_user'];
export type GroupRow = Database['scim_group'];

/** The organisation, with its name for its log. */
interface Org {
  readonly orgId: string;
  readonly name: string;
}

/** Rows read at once while a filter looks through all. */
const pageSize = 500;

/** A column that is unique in an organisation was taken, or the row has changed since it was read. */
export type Stored = 'stored' | 'taken' | 'changed';

/** Runs a write; `taken` when a unique column has the value already. */
async function unlessTaken(write: () => Promise<boolean>): Promise<Stored> {
  try {
    return (await write()) ? 'stored' : 'changed';
  } catch (error) {
    if (isTaken(error)) return 'taken';
    throw error;
  }
}

/** Store of what directories bring: people and groups of one organisation. */
export function createScimStore(db: Db) {
  async function* pages<Row extends { readonly id: string }>(page: (after: string | undefined) => Promise<Row[]>): AsyncGenerator<Row[]> {
    for (let after: string | undefined; ;) {
      const rows = await page(after);
      yield rows;
      after = rows.at(-1)?.id;
      if (rows.length < pageSize) return;
    }
  }

  return {
    /** People who meet the condition, in the order of their ids. */
    users: (orgId: string, condition?: Condition) =>
      pages(async (after) => {
        let query = usersWhere(db, orgId, condition).selectAll();
        if (after !== undefined) query = query.where('id', '>', after);
        return query.orderBy('id').limit(pageSize).execute();
      }),
    /** Some of these people in the order of their ids, and how many there are. */
    userWindow: async (
      orgId: string,
      condition: Condition | undefined,
      offset: number,
      limit: number,
    ): Promise<{ total: number; rows: UserRow[] }> => {
      const all = usersWhere(db, orgId, condition);
      const rows = limit === 0 ? [] : await all.selectAll().orderBy('id').limit(limit).offset(offset).execute();
      const { total } = await all.select((by) => by.fn.countAll().as('total')).executeTakeFirstOrThrow();
      return { total: Number(total), rows };
    },
    findUser: (orgId: string, id: string): Promise<UserRow | undefined> =>
      db.selectFrom('scim_user').selectAll().where('orgId', '=', orgId).where('id', '=', id).executeTakeFirst(),
    insertUser: (row: UserRow): Promise<Stored> =>
      unlessTaken(async () => {
        await db.insertInto('scim_user').values(row).execute();
        return true;
      }),
    /** Replaces a row that has not changed since. */
    replaceUser: (row: UserRow, version: number): Promise<Stored> =>
      unlessTaken(async () => {
        const { id, orgId, accountId: _bound, ...change } = row;
        const query = db
          .updateTable('scim_user')
          .set(change)
          .where('id', '=', id)
          .where('orgId', '=', orgId)
          .where('version', '=', version);
        return (await query.returning('id').executeTakeFirst()) !== undefined;
      }),
    async removeUser(orgId: string, id: string): Promise<void> {
      await db.deleteFrom('scim_user').where('orgId', '=', orgId).where('id', '=', id).execute();
    },
    async bind(id: string, accountId: string | null): Promise<void> {
      await db.updateTable('scim_user').set({ accountId }).where('id', '=', id).execute();
    },
    /** The account of a verified address, and its membership of the organisation. */
    accountOf: (orgId: string, emailKey: string, accountId: string | null) =>
      db
        .selectFrom('account')
        .leftJoin('org_member', (join) => join.onRef('org_member.accountId', '=', 'account.id').on('org_member.orgId', '=', orgId))
        .select(['account.id', 'account.name', 'account.email', 'org_member.role'])
        .where((by) =>
          accountId === null ? by.and([by('emailKey', '=', emailKey), by('verifiedAt', 'is not', null)]) : by('account.id', '=', accountId),
        )
        .executeTakeFirst(),

    /** The same of groups. */
    groups: (orgId: string, condition?: Condition) =>
      pages(async (after) => {
        let query = groupsWhere(db, orgId, condition).selectAll();
        if (after !== undefined) query = query.where('id', '>', after);
        return query.orderBy('id').limit(pageSize).execute();
      }),
    groupWindow: async (
      orgId: string,
      condition: Condition | undefined,
      offset: number,
      limit: number,
    ): Promise<{ total: number; rows: GroupRow[] }> => {
      const all = groupsWhere(db, orgId, condition);
      const rows = limit === 0 ? [] : await all.selectAll().orderBy('id').limit(limit).offset(offset).execute();
      const { total } = await all.select((by) => by.fn.countAll().as('total')).executeTakeFirstOrThrow();
      return { total: Number(total), rows };
    },
    findGroup: (orgId: string, id: string): Promise<GroupRow | undefined> =>
      db.selectFrom('scim_group').selectAll().where('orgId', '=', orgId).where('id', '=', id).executeTakeFirst(),
    /** Stores a group with its members; those that are none of the organisation's people are left out. Returns whose groups have changed. */
    putGroup: (row: GroupRow, members: readonly string[], version: number | undefined): Promise<{ stored: Stored; changed: string[] }> =>
      putGroup(db, row, members, version),
    /** Removes a group; returns who was in it. */
    removeGroup: (orgId: string, id: string): Promise<string[]> =>
      db.transaction().execute(async (transaction) => {
        const members = await membersOf(transaction, [id]);
        await transaction.deleteFrom('scim_group').where('orgId', '=', orgId).where('id', '=', id).execute();
        return members.map(({ userId }) => userId);
      }),
    /** Says what a group's members are; returns them, or undefined without such a group. */
    setRole: (org: Org, id: string, role: GivenOrgRole, act: Act): Promise<string[] | undefined> =>
      db.transaction().execute(async (transaction) => {
        const query = transaction.updateTable('scim_group').set({ role }).where('orgId', '=', org.orgId).where('id', '=', id);
        const changed = await query.returning('name').executeTakeFirst();
        if (!changed) return undefined;
        await recordAudit(transaction, orgEvent(org.orgId, org.name, 'org.groupRole', act, { group: changed.name, role }));
        return (await membersOf(transaction, [id])).map(({ userId }) => userId);
      }),
    groupCounts: async (orgId: string) =>
      (
        await db
          .selectFrom('scim_group')
          .leftJoin('scim_group_member', 'scim_group_member.groupId', 'scim_group.id')
          .select((by) => ['scim_group.id', 'scim_group.name', 'scim_group.role', by.fn.count('scim_group_member.userId').as('members')])
          .where('scim_group.orgId', '=', orgId)
          .groupBy(['scim_group.id', 'scim_group.name', 'scim_group.role', 'scim_group.nameKey'])
          .orderBy('scim_group.nameKey')
          .execute()
      ).map((row) => ({ ...row, members: Number(row.members) })),
    /** Active people with that address whom no account stands for yet, in every organisation. */
    waitingFor: (emailKey: string): Promise<UserRow[]> =>
      db
        .selectFrom('scim_user')
        .selectAll()
        .where('emailKey', '=', emailKey)
        .where('active', '=', 1)
        .where('accountId', 'is', null)
        .orderBy('id')
        .execute(),
    /** Members of these groups, with their names. */
    membersOf: (groupIds: readonly string[]) => membersOf(db, groupIds),
    /** The groups of these people. */
    groupsOf: async (userIds: readonly string[]) =>
      userIds.length === 0
        ? []
        : db
            .selectFrom('scim_group_member')
            .innerJoin('scim_group', 'scim_group.id', 'scim_group_member.groupId')
            .select(['scim_group_member.userId', 'scim_group.id', 'scim_group.name', 'scim_group.role'])
            .where('scim_group_member.userId', 'in', userIds)
            .orderBy('scim_group.nameKey')
            .execute(),
    counts: async (orgId: string): Promise<{ people: number; joined: number }> => {
      const row = await db
        .selectFrom('scim_user')
        .leftJoin('account', 'account.emailKey', 'scim_user.emailKey')
        .leftJoin('org_member', (join) =>
          join
            .onRef('org_member.orgId', '=', 'scim_user.orgId')
            .on((by) => by('org_member.accountId', '=', by.fn.coalesce('scim_user.accountId', 'account.id'))),
        )
        .select((by) => [by.fn.count('scim_user.id').as('people'), by.fn.count('org_member.id').as('joined')])
        .where('scim_user.orgId', '=', orgId)
        .where('scim_user.active', '=', 1)
        .executeTakeFirstOrThrow();
      return { people: Number(row.people), joined: Number(row.joined) };
    },
  };
}
export type ScimStore = ReturnType<typeof createScimStore>;

const membersOf = async (from: Db, groupIds: readonly string[]) =>
  groupIds.length === 0
    ? []
    : from
        .selectFrom('scim_group_member')
        .innerJoin('scim_user', 'scim_user.id', 'scim_group_member.userId')
        .select(['scim_group_member.groupId', 'scim_group_member.userId', 'scim_user.userNameKey'])
        .where('scim_group_member.groupId', 'in', groupIds)
        .orderBy('scim_group_member.userId')
        .execute();

/** Ids in one statement; engines limit its parameters. */
const mostIds = 500;

async function putGroup(db: Db, row: GroupRow, members: readonly string[], version: number | undefined) {
  let changed: string[] = [];
  const stored = await unlessTaken(() =>
    db.transaction().execute(async (transaction) => {
      if (version === undefined) await transaction.insertInto('scim_group').values(row).execute();
      else {
        const { id, orgId, role: _kept, ...change } = row;
        const query = transaction.updateTable('scim_group').set(change).where('id', '=', id).where('orgId', '=', orgId);
        if (!(await query.where('version', '=', version).returning('id').executeTakeFirst())) return false;
      }
      const before = new Set((await membersOf(transaction, [row.id])).map(({ userId }) => userId));
      const wanted = new Set<string>();
      for (let at = 0; at < members.length; at += mostIds) {
        const ids = members.slice(at, at + mostIds);
        const known = await transaction
          .selectFrom('scim_user')
          .select('id')
          .where('orgId', '=', row.orgId)
          .where('id', 'in', ids)
          .execute();
        for (const { id } of known) wanted.add(id);
      }
      const [gone, come] = [before.difference(wanted), wanted.difference(before)];
      const leaving = [...gone];
      for (let at = 0; at < leaving.length; at += mostIds)
        await transaction
          .deleteFrom('scim_group_member')
          .where('groupId', '=', row.id)
          .where('userId', 'in', leaving.slice(at, at + mostIds))
          .execute();
      const rows = [...come].map((userId) => ({ groupId: row.id, userId }));
      for (let at = 0; at < rows.length; at += mostIds)
        await transaction
          .insertInto('scim_group_member')
          .values(rows.slice(at, at + mostIds))
          .execute();
      changed = [...gone, ...come];
      return true;
    }),
  );
  return { stored, changed: stored === 'stored' ? changed : [] };
}
