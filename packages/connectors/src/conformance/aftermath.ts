import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { ConnectorError, type ConnectorErrorKind, isKind } from '../core/error.ts';
import type { Operation } from '../core/operations.ts';
import { inParallel } from '../kit/concurrency/parallel.ts';
import { type Setting, ask } from './setting.ts';

const MiB = 1024 * 1024;

/** Repetitions of each call, and concurrent calls: more than a link has connections. */
const times = 50;
const atOnce = 12;
/**
 * Milliseconds that listings may take longer than before on a busy machine. A connection that is not released costs half a minute or more.
 */
const leeway = 10_000;
/** Timeout of one refusal in ms. */
const longest = 20_000;

/** Errors of callers that wait for a connection that was never released; any other refusal is the source's own error. */
const waitedInVain: readonly ConnectorErrorKind[] = ['aborted', 'interrupted', 'rateLimited', 'timeout', 'unreachable'];

type Attempt = (at: string, index: number) => Promise<unknown>;

/** Calls that were refused, aborted or interrupted leave no connection or lock behind. */
export function aftermathPromises(setting: Setting): void {
  const { promise, folder, put, get, listed, can } = setting;
  const connector = () => setting.connector();

  /** Returns the milliseconds that as many concurrent listings as repetitions take. */
  async function timeOf(at: string): Promise<number> {
    const before = performance.now();
    await Promise.all(Array.from({ length: atOnce }, () => listed(at)));
    return performance.now() - before;
  }

  async function repeated(at: string, attempt: Attempt, count = times): Promise<void> {
    await inParallel(Array(count).keys(), atOnce, async (index) => void (await attempt(at, index)));
  }

  /** Repeats the call, then checks that listings are as fast as before. */
  function leavesNothing(title: string, needs: readonly Operation[], attempt: Attempt, count?: number): void {
    promise(`${title}, ${count ?? times} times, and the next listings take their usual time`, ['write', ...needs], async () => {
      const at = await folder();
      await put(`${at}/file`, 'x');
      await put(`${at}/big`, Buffer.alloc(MiB, 'sheaf'));
      await timeOf(at);
      const usual = await timeOf(at);
      await repeated(at, attempt, count);
      const afterChange = await timeOf(at);
      assert.ok(afterChange < 5 * usual + leeway, `${Math.round(afterChange)} ms instead of ${Math.round(usual)}`);
      assert.equal((await get(`${at}/big`)).length, MiB);
    });
  }

  async function refused(call: () => Promise<unknown>): Promise<void> {
    const before = performance.now();
    await assert.rejects(call, (error) => error instanceof ConnectorError && !isKind(error, ...waitedInVain));
    const waited = performance.now() - before;
    assert.ok(waited < longest, `the refusal took ${Math.round(waited)} ms`);
  }

  leavesNothing('listing a missing folder', [], (at, index) => refused(() => listed(`${at}/missing ${index}`)));
  leavesNothing('listing a file', [], (at) => refused(() => listed(`${at}/file`)));
  leavesNothing('stat of a missing item', [], (at, index) => refused(() => connector().stat(`${at}/missing ${index}`, ask())));
  leavesNothing('reading a missing file', [], (at, index) => refused(() => get(`${at}/missing ${index}`)));
  leavesNothing('reading a folder', [], (at) => refused(() => get(at)));
  leavesNothing('reading past the end', [], (at) => refused(() => get(`${at}/file`, { start: 10 })));
  const changes: readonly (readonly [Operation, Attempt])[] = [
    ['remove', (at, index) => setting.remove(`${at}/missing ${index}`)],
    ['rename', (at, index) => setting.rename(`${at}/missing ${index}`, 'new')],
    ['rename', (at) => setting.rename(`${at}/file`, 'big')],
    ['move', (at, index) => setting.move(`${at}/missing ${index}`, `${at}/new`)],
    ['copy', (at, index) => setting.copy(`${at}/missing ${index}`, `${at}/new`)],
    ['createFolder', (at) => setting.createFolder(`${at}/file`)],
    ['write', (at) => put(`${at}/file`, 'y', { ifExists: 'fail' })],
  ];
  const possible = changes.filter(([operation]) => can(operation));
  leavesNothing('refused changes', [], async (at, index) => {
    const [, attempt] = possible[index % possible.length] ?? [];
    if (attempt) await refused(() => attempt(at, index));
  });

  leavesNothing('storing a body that breaks off', [], (at, index) =>
    assert.rejects(put(`${at}/broken ${index}`, Readable.from(breaksOff())), ConnectorError),
  );

  leavesNothing('cancelling listings and bodies', [], async (at, index) => {
    const given = new AbortController();
    const { signal } = given;
    const call = index % 2 === 0 ? connector().stat(`${at}/file`, { signal }) : connector().read(`${at}/big`, { signal });
    setImmediate(() => given.abort());
    const [outcome] = await Promise.allSettled([call]);
    if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof ConnectorError);
    else if ('cancel' in outcome.value) outcome.value.cancel();
    for await (const batch of connector().list(at, ask())) if (batch.length > 0) break;
  });

  const line = watchLine();
  leavesNothing('losing the connection', [], async (at, index) => {
    // The bytes that arrived before the interruption may be the whole file.
    const calls = [
      listed(at),
      connector()
        .read(`${at}/big`, ask())
        .then((body) => body.drain(async () => line.cut())),
    ];
    if (index % 10 === 0) setImmediate(() => line.cut());
    for (const outcome of await Promise.allSettled(calls))
      if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof ConnectorError, String(outcome.reason));
  });
}

/** Collects connections opened by this process, so that all can be cut at once. */
function watchLine(): { cut(): void } {
  const sockets = new Set<Socket>();
  subscribe('net.client.socket', (message) => {
    if (typeof message !== 'object' || message === null || !('socket' in message) || !(message.socket instanceof Socket)) return;
    const { socket } = message;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    cut() {
      for (const socket of sockets) socket.destroy(new Error('the line was cut'));
    },
  };
}

async function* breaksOff(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(1000);
  throw new Error('the sender went away');
}
