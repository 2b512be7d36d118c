import { type AgentPlan, type AgentPlanState, AppError, type Item, type Transfer, appError } from '@sheaf/contract';
import type { Content } from '#/files/content/service.ts';
import type { TransferService } from '#/files/transfers/service.ts';
import type { AgentProgram } from '#/identity/agents/service.ts';
import type { Clock } from '#/platform/clock.ts';
import type { AuditEvent } from '#/platform/db/audit.ts';
import type { Weblinks } from '#/sharing/weblinks/service.ts';
import { type NewPlan, type PlanRow, type PlanStore, type PlannedItem, itemsOf } from './store.ts';

/** Seconds for which a plan waits for a decision, and for which it is kept. */
const waitsFor = 7 * 86_400;
const keptFor = 90 * 86_400;
/** Seconds after which a plan that is being carried out belongs to a process that has ended. */
const lostAfter = 900;
const mostWaiting = 50;

interface Deps {
  readonly store: PlanStore;
  readonly content: Pick<Content, 'metadata' | 'remove'>;
  readonly weblinks: Pick<Weblinks, 'create'>;
  readonly transfers: Pick<TransferService, 'one' | 'start' | 'cancel'>;
  readonly newId: () => string;
  readonly now: Clock;
}

export type Plans = ReturnType<typeof createPlans>;

/**
 * What agents plan and people decide. A plan is carried out with the rights of the person who confirms it, and only on items that are still as they were.
 */
export function createPlans({ store, content, weblinks, transfers, newId, now }: Deps) {
  async function transferOf({ accountId, transferId }: PlanRow): Promise<Transfer | undefined> {
    if (transferId === null) return undefined;
    try {
      return await transfers.one(accountId, transferId);
    } catch (error) {
      if (error instanceof AppError && error.messageCode === 'TRANSFER_GONE') return undefined;
      throw error;
    }
  }

  const expiresBefore = (): number => now() - waitsFor;
  async function shown(row: PlanRow): Promise<AgentPlan> {
    const transfer = row.state === 'waiting' ? await transferOf(row) : undefined;
    const isOver = row.state === 'waiting' && Number(row.createdAt) <= expiresBefore();
    const isLost = row.state === 'running' && Number(row.decidedAt) < now() - lostAfter;
    const isGone = row.state === 'waiting' && row.transferId !== null && !transfer;
    const own: AgentPlanState = isOver || isGone ? 'expired' : isLost ? 'waiting' : row.state;
    return {
      planId: row.id,
      agentName: row.agentName,
      kind: row.kind,
      items: itemsOf(row).map(({ linkUri, path, isFolder, size }) => ({ linkUri, path, isFolder, ...(size !== undefined && { size }) })),
      ...(row.reason !== null && { reason: row.reason }),
      ...(row.expirationSeconds !== null && { expirationSeconds: Number(row.expirationSeconds) }),
      ...(row.transferId !== null && { transferId: row.transferId }),
      ...(row.target !== null && { to: row.target }),
      state: transfer && !isOver ? stateOf(transfer) : own,
      createdAt: Number(row.createdAt),
      ...(row.problem !== null && { problem: row.problem }),
      ...(row.shareUrl !== null && { sharelinkurl: row.shareUrl }),
    };
  }

  async function own(accountId: string, planId: string): Promise<PlanRow> {
    const row = await store.find(accountId, planId);
    if (!row) throw appError('AGENT_PLAN_DECIDED', {});
    return row;
  }
  /** Rejects with AGENT_PLAN_DECIDED unless the plan still waits. */
  async function take(row: PlanRow, state: 'running' | 'refused'): Promise<PlanRow> {
    const taken = await store.take(row, state, { at: now(), since: expiresBefore(), lost: now() - lostAfter });
    if (!taken) throw appError('AGENT_PLAN_DECIDED', {});
    return taken;
  }

  async function remove(row: PlanRow, signal: AbortSignal): Promise<string | undefined> {
    let undoId: string | undefined;
    for (const planned of itemsOf(row)) {
      const { linkUri } = planned;
      const item = await presentItem(row.accountId, linkUri, signal);
      // The process that began the plan had deleted it before it ended.
      if (!item) continue;
      checkSame(planned, item);
      undoId = (await content.remove(row.accountId, { linkUri, ...(undoId !== undefined && { undoId }) }, signal)).undoId ?? undoId;
    }
    return undoId;
  }
  async function presentItem(accountId: string, linkUri: string, signal: AbortSignal): Promise<Item | undefined> {
    try {
      return await content.metadata(accountId, { linkUri }, signal);
    } catch (error) {
      if (error instanceof AppError && error.messageCode === 'ITEM_NOT_FOUND') return undefined;
      throw error;
    }
  }

  async function share(row: PlanRow, signal: AbortSignal): Promise<string> {
    const [planned] = itemsOf(row);
    if (!planned) throw new Error('a planned share has no item');
    checkSame(planned, await content.metadata(row.accountId, { linkUri: planned.linkUri }, signal));
    const ask = { linkUri: planned.linkUri, expirationSeconds: Number(row.expirationSeconds ?? 0) };
    return (await weblinks.create(row.accountId, ask, signal)).sharelinkurl;
  }

  return {
    /** Adds to the account's log what an agent did. */
    record: (event: AuditEvent): Promise<void> => store.record(event),

    /** Notes a plan of an agent. Rejects with TOO_MANY_TRIES when too many wait. */
    async add({ agentId, name, accountId }: AgentProgram, { items, reason, target, ...plan }: NewPlan): Promise<AgentPlan> {
      await this.checkRoom(agentId);
      const row: PlanRow = {
        id: newId(),
        accountId,
        agentId,
        agentName: name,
        kind: plan.kind,
        items: JSON.stringify(items),
        reason: reason ?? null,
        expirationSeconds: plan.expirationSeconds ?? null,
        transferId: plan.transferId ?? null,
        target: target ?? null,
        state: 'waiting',
        problem: null,
        shareUrl: null,
        createdAt: now(),
        decidedAt: null,
      };
      await store.add(row);
      return shown(row);
    },
    async checkRoom(agentId: string): Promise<void> {
      if ((await store.waitingOf(agentId, expiresBefore())) >= mostWaiting) throw appError('TOO_MANY_TRIES', { seconds: String(waitsFor) });
    },

    async list(accountId: string, limit: number): Promise<{ plans: AgentPlan[]; waiting: number }> {
      const plans: AgentPlan[] = [];
      for (const row of await store.list(accountId, limit)) plans.push(await shown(row));
      return { plans, waiting: plans.filter(({ state }) => state === 'waiting').length };
    },

    /** Returns a plan of this agent; rejects with AGENT_PLAN_DECIDED for any other. */
    async status({ accountId, agentId }: AgentProgram, planId: string): Promise<AgentPlan> {
      const row = await own(accountId, planId);
      if (row.agentId !== agentId) throw appError('AGENT_PLAN_DECIDED', {});
      return shown(row);
    },

    /**
     * Carries a plan out, as the person who confirms it. The plan notes what fails. Rejects with AGENT_PLAN_DECIDED unless it waits, and for a transfer
     * as `start` does.
     */
    async confirm(accountId: string, planId: string, signal: AbortSignal): Promise<{ plan: AgentPlan; undoId?: string }> {
      const row = await own(accountId, planId);
      if (row.transferId !== null) {
        await transfers.start(accountId, row.transferId);
        return { plan: await shown(row) };
      }
      await take(row, 'running');
      try {
        const undoId = row.kind === 'delete' ? await remove(row, signal) : undefined;
        const shareUrl = row.kind === 'share' ? await share(row, signal) : null;
        const plan = await shown(await store.end(row.id, { state: 'done', problem: null, shareUrl }));
        return { plan, ...(undoId !== undefined && { undoId }) };
      } catch (error) {
        const problem = error instanceof AppError ? error.message : 'Something unexpected went wrong.';
        const plan = await shown(await store.end(row.id, { state: 'failed', problem, shareUrl: null }));
        if (!(error instanceof AppError)) throw error;
        return { plan };
      }
    },

    async refuse(accountId: string, planId: string): Promise<AgentPlan> {
      const row = await own(accountId, planId);
      const refused = await take(row, 'refused');
      if (row.transferId !== null && (await transferOf(row))?.endedAt === undefined) await transfers.cancel(accountId, row.transferId);
      return shown(refused);
    },

    sweep: (): Promise<void> => store.sweep(now() - keptFor),
  };
}

/** Throws FILE_CHANGED when the item is not the one that was planned. */
function checkSame(planned: PlannedItem, { name, fileType, size, modified }: Item): void {
  const isFolder = fileType === 'FOLDER';
  const isSame =
    planned.isFolder === isFolder &&
    (isFolder ||
      ((planned.size === undefined || planned.size === size) && (planned.modified === undefined || planned.modified === modified)));
  if (!isSame) throw appError('FILE_CHANGED', { name });
}

/** The state of a plan that this transfer carries out. */
function stateOf({ state }: Transfer): AgentPlanState {
  switch (state) {
    case 'planning':
    case 'planned':
      return 'waiting';
    case 'running':
    case 'paused':
    case 'waiting':
      return 'running';
    case 'done':
      return 'done';
    case 'failed':
      return 'failed';
    case 'canceled':
      return 'refused';
  }
}
