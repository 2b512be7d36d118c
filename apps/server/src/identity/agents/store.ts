import { agentScopes } from '@sheaf/contract';
import { recordAudit } from '#/platform/db/audit.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type AgentRow = Database['agent'];
export type ClientRow = Database['agent_client'];

/** New tokens of an agent, as hashes. */
export interface Issued {
  readonly accessHash: string;
  readonly accessEndsAt: number;
  readonly refreshHash: string;
  readonly familyHash: string;
}

/** Store of agents, and of the programs that have registered themselves. */
export function createAgentStore(db: Db) {
  const usable = (now: number) =>
    db
      .selectFrom('agent')
      .innerJoin('account', 'account.id', 'agent.accountId')
      .selectAll('agent')
      .where((by) => by.or([by('agent.expiresAt', 'is', null), by('agent.expiresAt', '>', now)]))
      .where('account.disabledAt', 'is', null)
      .where('account.closesAt', 'is', null);
  return {
    addClient: async (row: ClientRow): Promise<void> => void (await db.insertInto('agent_client').values(row).execute()),
    findClient: (id: string): Promise<ClientRow | undefined> =>
      db.selectFrom('agent_client').selectAll().where('id', '=', id).executeTakeFirst(),

    insert: (row: AgentRow, places: string): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await transaction.insertInto('agent').values(row).execute();
        const { accountId, id, name, createdAt } = row;
        const details = { places, rights: row.rights === 'write' ? 'read and write' : 'read' };
        const event = { accountId, actorId: accountId, subjectId: id, subjectName: name, at: createdAt, details };
        await recordAudit(transaction, { ...event, action: 'agent.allow' });
      }),
    /** Newest first, expired ones too; without those whose code has not been exchanged. */
    list: (accountId: string): Promise<AgentRow[]> =>
      db
        .selectFrom('agent')
        .selectAll()
        .where('accountId', '=', accountId)
        .where('accessHash', 'is not', null)
        .orderBy('createdAt', 'desc')
        .orderBy('id')
        .execute(),
    async count(accountId: string): Promise<number> {
      const query = db.selectFrom('agent').select(({ fn }) => fn.countAll().as('count'));
      return Number((await query.where('accountId', '=', accountId).executeTakeFirst())?.count ?? 0);
    },
    findByCode: (codeHash: string): Promise<AgentRow | undefined> =>
      db.selectFrom('agent').selectAll().where('codeHash', '=', codeHash).executeTakeFirst(),
    /** The agent with that access token, unless it has expired, or its account is disabled or being closed. */
    findByAccess: (accessHash: string, now: number): Promise<AgentRow | undefined> =>
      usable(now).where('accessHash', '=', accessHash).where('accessEndsAt', '>', now).executeTakeFirst(),
    findByRefresh: (refreshHash: string, now: number): Promise<AgentRow | undefined> =>
      usable(now).where('refreshHash', '=', refreshHash).executeTakeFirst(),
    /** The agent with that access token, or with that beginning of its refresh tokens. */
    findByToken: (accessHash: string, familyHash: string): Promise<AgentRow | undefined> =>
      db
        .selectFrom('agent')
        .selectAll()
        .where((by) => by.or([by('accessHash', '=', accessHash), by('familyHash', '=', familyHash)]))
        .executeTakeFirst(),
    /** Exchanges the code; false when that has been done already. */
    async begin(id: string, tokens: Issued): Promise<boolean> {
      const done = db.updateTable('agent').set(tokens).where('id', '=', id).where('accessHash', 'is', null);
      return (await done.returning('id').executeTakeFirst()) !== undefined;
    },
    /** Replaces the tokens; false when the refresh token has been spent meanwhile. */
    async renew(id: string, spentHash: string, tokens: Issued): Promise<boolean> {
      const done = db.updateTable('agent').set(tokens).where('id', '=', id).where('refreshHash', '=', spentHash);
      return (await done.returning('id').executeTakeFirst()) !== undefined;
    },
    /** Of these ids, those of agents that can be used. */
    async usable(ids: readonly string[], now: number): Promise<string[]> {
      if (ids.length === 0) return [];
      return (await usable(now).where('agent.id', 'in', ids).execute()).map(({ id }) => id);
    },
    async touch(id: string, lastUsedAt: number): Promise<void> {
      await db.updateTable('agent').set({ lastUsedAt }).where('id', '=', id).execute();
    },
    remove: (accountId: string, id: string, at: number): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        const query = transaction.deleteFrom('agent').where('accountId', '=', accountId).where('id', '=', id);
        const removed = await query.returning('name').executeTakeFirst();
        if (!removed) return;
        const event = { accountId, actorId: accountId, subjectId: id, subjectName: removed.name, at };
        await recordAudit(transaction, { ...event, action: 'agent.remove' });
      }),
    async removeAll(accountId: string): Promise<void> {
      await db.deleteFrom('agent').where('accountId', '=', accountId).execute();
    },
    /** Deletes agents whose code nobody exchanged, and programs registered before `before` that nobody has let in. */
    async sweep(now: number, before: number): Promise<void> {
      await db.deleteFrom('agent').where('accessHash', 'is', null).where('codeEndsAt', '<=', now).execute();
      await db
        .deleteFrom('agent_client')
        .where('createdAt', '<', before)
        .where('id', 'not in', (by) => by.selectFrom('agent').select('clientId'))
        .execute();
    },
  };
}
export type AgentStore = ReturnType<typeof createAgentStore>;

/** The scopes of an agent, as OAuth writes them. */
export const scopeOf = ({ rights }: Pick<AgentRow, 'rights'>): string =>
  rights === 'write' ? `${agentScopes.read} ${agentScopes.write}` : agentScopes.read;
