import { setTimeout as wait } from 'node:timers/promises';
import {
  type PlanItem,
  type Transfer,
  type TransferConflictRule,
  cancelTransfer,
  copyObjects,
  moveObjects,
  oneTransfer,
  transferPlan,
} from '@sheaf/contract';
import type { Client } from '#/client.ts';
import { ConnectionLost, Failure } from '#/failure.ts';
import type { Progress } from '#/progress.ts';

/** A requested copy or move. */
export interface Wish {
  readonly kind: 'copy' | 'move';
  readonly linkUri: string;
  readonly parentLinkUri: string;
  readonly newName: string;
  readonly conflict: TransferConflictRule;
  /** With a key, repeating the request begins only one transfer. */
  readonly idempotencyKey?: string;
}

/** First and longest polling interval of a transfer, in milliseconds. */
const [firstPause, longestPause] = [50, 1000];
/** Milliseconds for which polling goes on without an answer: the server may be restarting. */
const timeout = 120_000;
/** Maximum number of items named for a failed transfer. */
const mostNamed = 20;

/** Begins a transfer at the server; returns its id. */
export async function beginTransfer(client: Client, { kind, linkUri, ...wish }: Wish, signal: AbortSignal): Promise<string> {
  const call = kind === 'copy' ? copyObjects : moveObjects;
  return (await client.ask(call, { ...wish, linkUri: [linkUri] }, signal)).transferId;
}

/**
 * Follows a transfer on the server to its end. Ctrl-C cancels it; killing this program does not. Rejects with Failure unless the transfer succeeds.
 */
export async function followTransfer(client: Client, transferId: string, progress: Progress, signal: AbortSignal): Promise<void> {
  try {
    const transfer = await ended(client, transferId, progress, signal);
    progress.end();
    await conclude(client, transfer, progress, signal);
  } catch (error) {
    progress.end();
    if (signal.aborted) await client.ask(cancelTransfer, { transferId }, AbortSignal.timeout(10_000));
    throw error;
  }
}

/** Waits until the transfer is no longer active. */
async function ended(client: Client, transferId: string, progress: Progress, signal: AbortSignal): Promise<Transfer> {
  let [bytes, items, isBegun, waits] = [0, 0, false, ''];
  for (let pause = firstPause; ; pause = Math.min(longestPause, pause * 1.5)) {
    const transfer = await asked(client, transferId, signal);
    const { state, bytesDone, bytesTotal, itemsDone, itemsTotal, error } = transfer;
    if (['planned', 'done', 'failed', 'canceled'].includes(state)) return transfer;
    if (!isBegun && state !== 'planning') progress.begin(itemsTotal, bytesTotal);
    isBegun ||= state !== 'planning';
    for (; items < itemsDone; items += 1) progress.done();
    if (isBegun) progress.moved(bytesDone - bytes);
    bytes = isBegun ? bytesDone : 0;
    if (state === 'waiting' && error && error.message !== waits) progress.remark('The transfer waits', (waits = error.message));
    await wait(pause, undefined, { signal });
  }
}

async function asked(client: Client, transferId: string, signal: AbortSignal): Promise<Transfer> {
  for (const until = Date.now() + timeout; ;) {
    try {
      return await client.ask(oneTransfer, { transferId }, signal);
    } catch (error) {
      if (!(error instanceof ConnectionLost) || signal.aborted || Date.now() > until) throw error;
      await wait(longestPause, undefined, { signal });
    }
  }
}

async function conclude(client: Client, { transferId, state, error }: Transfer, progress: Progress, signal: AbortSignal): Promise<void> {
  if (state === 'done') return;
  if (state === 'canceled') throw new Failure('The transfer was cancelled.');
  if (state === 'planned') {
    const [first] = await itemsOf(client, { transferId, only: 'problem' }, 1, signal);
    await client.ask(cancelTransfer, { transferId }, signal);
    throw new Failure(first ? problemOf(first) : 'The transfer needs a decision that this program cannot make.');
  }
  if (error) throw new Failure(error.message);
  const failed = await itemsOf(client, { transferId, state: 'failed' }, mostNamed, signal);
  for (const item of failed) progress.complain(item.from, item.error?.message ?? 'it failed');
  throw new Failure('Not everything could be copied.', 'incomplete');
}

const itemsOf = async (
  client: Client,
  filter: { readonly transferId: string; readonly only?: 'problem'; readonly state?: 'failed' },
  limit: number,
  signal: AbortSignal,
): Promise<readonly PlanItem[]> => (await client.ask(transferPlan, { ...filter, offset: 0, limit }, signal)).items;

/** Says why an item cannot be copied as it is. */
function problemOf({ to, reason, error }: PlanItem): string {
  const name = to.slice(to.lastIndexOf('/') + 1);
  if (error) return error.message;
  if (reason === 'name_taken' || reason === 'kind_differs' || reason === 'case_twin') return `There is already an item named "${name}".`;
  if (reason === 'too_large') return `"${name}" is too large for the destination.`;
  return `The destination cannot hold "${name}" under this name.`;
}
