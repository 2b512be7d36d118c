import type { AgentPlanKind, AuditAction } from '@sheaf/contract';
import { type AuditEvent, recordAudit } from '#/platform/db/audit.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type PlanRow = Database['agent_plan'];

/** Store of agents' plans, and of their entries in the account's log. */
export function createPlanStore(db: Db) {
  const decision = ({ accountId, id, items, agentName, kind }: PlanRow, action: AuditAction, at: number): AuditEvent => ({
    accountId,
    actorId: accountId,
    action,
    subjectId: id,
    subjectName: namesOf(items),
    details: { agent: agentName, kind },
    at,
  });
  return {
    /** Adds to the log of the account what an agent did. */
    record: (event: AuditEvent): Promise<void> => db.transaction().execute((transaction) => recordAudit(transaction, event)),

    add: (row: PlanRow): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await transaction.insertInto('agent_plan').values(row).execute();
        await recordAudit(transaction, decision(row, 'agent.plan', row.createdAt));
      }),
    find: (accountId: string, id: string): Promise<PlanRow | undefined> =>
      db.selectFrom('agent_plan').selectAll().where('accountId', '=', accountId).where('id', '=', id).executeTakeFirst(),
    list: (accountId: string, limit: number): Promise<PlanRow[]> =>
      db
        .selectFrom('agent_plan')
        .selectAll()
        .where('accountId', '=', accountId)
        .orderBy('createdAt', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute(),
    /** Counts the agent's plans made after `since` that wait for a decision. */
    async waitingOf(agentId: string, since: number): Promise<number> {
      const query = db.selectFrom('agent_plan').select(({ fn }) => fn.countAll().as('count'));
      const waiting = query.where('agentId', '=', agentId).where('state', '=', 'waiting').where('createdAt', '>', since);
      return Number((await waiting.executeTakeFirst())?.count ?? 0);
    },
    /**
     * Takes a plan that waits, or one that has been carried out since before `lost` and whose process must have ended. Undefined when somebody else was first.
     */
    take: (row: PlanRow, state: 'running' | 'refused', { at, since, lost }: { at: number; since: number; lost: number }) =>
      db.transaction().execute(async (transaction) => {
        const taken = await transaction
          .updateTable('agent_plan')
          .set({ state, decidedAt: at })
          .where('id', '=', row.id)
          .where((by) =>
            by.or([
              by.and([by('state', '=', 'waiting'), by('createdAt', '>', since)]),
              by.and([by('state', '=', 'running'), by('decidedAt', '<', lost)]),
            ]),
          )
          .returningAll()
          .executeTakeFirst();
        if (taken) await recordAudit(transaction, decision(row, state === 'running' ? 'agent.confirm' : 'agent.refuse', at));
        return taken;
      }),
    async end(id: string, result: Pick<PlanRow, 'state' | 'problem' | 'shareUrl'>): Promise<PlanRow> {
      return db.updateTable('agent_plan').set(result).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
    },
    async sweep(before: number): Promise<void> {
      await db.deleteFrom('agent_plan').where('createdAt', '<', before).execute();
    },
  };
}
export type PlanStore = ReturnType<typeof createPlanStore>;

/** An item of a plan as it was when it was planned. */
export interface PlannedItem {
  readonly linkUri: string;
  readonly path: string;
  readonly isFolder: boolean;
  readonly size?: number;
  /** Epoch seconds. */
  readonly modified?: number;
}
export const itemsOf = ({ items }: Pick<PlanRow, 'items'>): PlannedItem[] => JSON.parse(items) as PlannedItem[];

const namesOf = (items: string): string => {
  const [first, ...others] = itemsOf({ items });
  return `${first?.path ?? ''}${others.length > 0 ? ` and ${others.length} more` : ''}`;
};

export type NewPlan = {
  readonly kind: AgentPlanKind;
  readonly items: readonly PlannedItem[];
  readonly reason?: string | undefined;
  readonly expirationSeconds?: number;
  readonly transferId?: string;
  /** The folder that a copy or move goes into, as shown. */
  readonly target?: string;
};
