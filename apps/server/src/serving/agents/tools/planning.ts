import { setTimeout as sleep } from 'node:timers/promises';
import { type AgentPlan, appError, isSegment, linkUriOf, shareExpirations, transferConflictRules } from '@sheaf/contract';
import { Type } from 'typebox';
import { cannotChange } from '#/files/items/open-item.ts';
import type { TransferService } from '#/files/transfers/service.ts';
import type { Plans } from '../plans/service.ts';
import type { PlannedItem } from '../plans/store.ts';
import { Path, longestPath, opened, shown } from './paths.ts';
import { type Tool, type ToolContext, tool } from './tool.ts';

const mostItems = 100;
/** Milliseconds for which an answer waits until a transfer is planned, and between two polls. */
const planWait = 15_000;
const lookEvery = 100;

const Paths = Type.Array(Type.String({ minLength: 1, maxLength: longestPath }), {
  minItems: 1,
  maxItems: mostItems,
  description: 'Files and folders.',
});
const Reason = Type.Optional(Type.String({ maxLength: 500, description: 'Why, in a sentence that the person reads.' }));
const decided = 'Nothing happens until the account’s owner agrees in the web app: tell them so.';

interface Deps {
  readonly plans: Plans;
  readonly transfers: Pick<TransferService, 'plan' | 'one' | 'planned' | 'cancel'>;
  readonly publicUrl: string;
}

/** Tools that make plans, which a person starts or refuses. */
export function planningTools({ plans, transfers, publicUrl }: Deps): Tool[] {
  /** The item as it is now, opened with the agent's rights. Its link's root belongs to no plan. */
  async function item(path: string, { window, signal }: ToolContext): Promise<PlannedItem> {
    const found = await opened(window, path);
    if (found.path === '/') throw appError('SOURCE_CANNOT', { provider: found.item.provider });
    const { kind, size, modified } = await found.item.connector.stat(found.path, { signal });
    return {
      linkUri: linkUriOf(found.place.userLinkId, found.path),
      path: shown(found),
      isFolder: kind === 'folder',
      ...(size !== undefined && { size }),
      ...(modified !== undefined && { modified: Math.trunc(modified) }),
    };
  }
  async function items(paths: readonly string[], context: ToolContext): Promise<PlannedItem[]> {
    const found: PlannedItem[] = [];
    for (const path of new Set(paths)) found.push(await item(path, context));
    return found;
  }
  const answer = ({ planId, state, kind, items: planned, problem, sharelinkurl, transferId }: AgentPlan) => ({
    planId,
    kind,
    state,
    items: planned.map(({ path }) => path),
    ...(problem !== undefined && { problem }),
    ...(sharelinkurl !== undefined && { address: sharelinkurl }),
    decideAt: transferId === undefined ? `${publicUrl}/account/agents` : `${publicUrl}/transfers/${transferId}`,
  });

  return [
    tool({
      name: 'plan_transfer',
      title: 'Plan a copy or move',
      description: `Plans to copy or move files and folders into a folder of any link, and tells what it would do. ${decided}`,
      rights: 'write',
      input: Type.Object({
        kind: Type.Unsafe<'copy' | 'move'>({ type: 'string', enum: ['copy', 'move'] }),
        paths: Paths,
        to: Path('The folder that they go into.'),
        conflict: Type.Optional(
          Type.Unsafe<(typeof transferConflictRules)[number]>({
            type: 'string',
            enum: [...transferConflictRules],
            description: 'What happens to taken names; by default they are left to the person.',
          }),
        ),
        newName: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Another name, for a single item.' })),
        reason: Reason,
      }),
      async run({ kind, paths, to, conflict = 'fail', newName, reason }, context) {
        const { agent, window, signal } = context;
        await plans.checkRoom(agent.agentId);
        const found = await items(paths, context);
        const target = await opened(window, to);
        if ((await target.item.connector.stat(target.path, { signal })).kind !== 'folder') throw appError('NOT_A_FOLDER', { name: to });
        if (!target.item.connector.write) throw cannotChange(target.item);
        if (newName !== undefined && !isSegment(newName)) throw appError('ITEM_NOT_FOUND', { name: newName });
        const { transferId } = await transfers.plan(agent.accountId, {
          kind,
          linkUri: found.map(({ linkUri }) => linkUri),
          parentLinkUri: linkUriOf(target.place.userLinkId, target.path),
          conflict,
          ...(newName !== undefined && { newName }),
        });
        const plan = await plans.add(agent, { kind, items: found, reason, transferId, target: shown(target) });
        const until = Date.now() + planWait;
        while ((await transfers.one(agent.accountId, transferId)).state === 'planning' && Date.now() < until)
          await sleep(lookEvery, undefined, { signal });
        const { counts, bytes, state } = await transfers.planned(agent.accountId, { transferId, offset: 0, limit: 1 }, signal);
        return { ...answer(plan), isPlanned: state !== 'planning', counts, bytes };
      },
    }),
    tool({
      name: 'plan_delete',
      title: 'Plan a deletion',
      description: `Asks the account’s owner to delete files and folders. ${decided}`,
      rights: 'write',
      input: Type.Object({ paths: Paths, reason: Reason }),
      async run({ paths, reason }, context) {
        for (const path of paths) {
          const { item: found } = await opened(context.window, path);
          if (!found.connector.remove) throw cannotChange(found);
        }
        return answer(await plans.add(context.agent, { kind: 'delete', items: await items(paths, context), reason }));
      },
    }),
    tool({
      name: 'plan_share',
      title: 'Plan a public link',
      description: `Asks the account’s owner to share a file or folder by a public address. ${decided} Afterwards plan_status tells the address.`,
      rights: 'write',
      input: Type.Object({
        path: Path('The file or folder.'),
        expirationSeconds: Type.Optional(
          Type.Unsafe<number>({
            type: 'integer',
            enum: shareExpirations.map(({ seconds }) => seconds),
            description: 'When it ends; 0: never. A week by default.',
          }),
        ),
        reason: Reason,
      }),
      async run({ path, expirationSeconds = 604_800, reason }, context) {
        return answer(await plans.add(context.agent, { kind: 'share', items: [await item(path, context)], expirationSeconds, reason }));
      },
    }),
    tool({
      name: 'plan_status',
      title: 'Ask about a plan',
      description: 'Tells whether a plan of this agent waits, was refused, or has been carried out.',
      rights: 'write',
      input: Type.Object({ planId: Type.String({ minLength: 1, maxLength: 100 }) }),
      async run({ planId }, { agent, note }) {
        const plan = await plans.status(agent, planId);
        note('agent.status', plan.items[0]?.path ?? '');
        return answer(plan);
      },
    }),
  ];
}
