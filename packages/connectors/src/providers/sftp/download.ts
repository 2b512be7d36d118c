import type { Body, ByteRange } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import { createBufferPool } from '../../kit/body/buffer-pool.ts';
import { type Attrs, kindOf } from './api.ts';
import { aborted } from './errors.ts';
import type { Commands } from './session/commands.ts';
import type { Lease } from './session/pool.ts';

/** One buffer per block of a file; also used by uploads, with room for a packet header. */
export const blocks = createBufferPool({ size: 256 * 1024, keep: 64 });

/** Bytes of read-ahead: on a single channel, and on each of several. */
const aheadOnOne = 4 * 1024 * 1024;
const aheadOnEach = 2.5 * 1024 * 1024;
/** A channel's window (2 MiB) limits its bytes per round trip; from this round-trip time in ms on, more channels are faster. */
const longTrip = 5;
/** OpenSSH allows a connection ten channels by default (MaxSessions). */
const mostLanes = 8;
const worthLanes = 4 * 1024 * 1024;

interface Lane {
  readonly commands: Commands;
  readonly handle: Buffer;
}

/** Opens the file or a range of it. The lease ends with the body, or at once on failure. */
export async function openDownload(lease: Lease, path: Buffer, range: ByteRange | undefined, signal: AbortSignal): Promise<Body> {
  const { commands } = lease.connection;
  const [facts, opened] = await Promise.allSettled([commands.stat(path), commands.openRead(path)]);
  const lanes: Lane[] = opened.status === 'fulfilled' ? [{ commands, handle: opened.value }] : [];
  const letGo = () => {
    void Promise.allSettled(lanes.map(({ commands: on, handle }) => on.close(handle)));
    lease.release();
  };
  try {
    if (facts.status === 'rejected') throw facts.reason;
    if (kindOf(facts.value) === 'folder') throw new ConnectorError('isAFolder', 'a folder has no bytes');
    if (opened.status === 'rejected') throw opened.reason;
    const { size, modified } = facts.value;
    const start = range?.start ?? 0;
    if (range && size !== undefined && start >= size) throw new ConnectorError('badRange', `the file has ${size} bytes`);
    const end = Math.min(range?.end ?? Number.POSITIVE_INFINITY, size ?? Number.POSITIVE_INFINITY);
    if (signal.aborted) throw aborted();
    await addLanes(lease, lanes, { path, bytes: end - start, facts: facts.value });
    return bodyOf(lanes, {
      start,
      end,
      letGo,
      signal,
      entry: { ...(size !== undefined && { size }), ...(modified !== undefined && { modified }) },
    });
  } catch (error) {
    letGo();
    throw error;
  }
}

interface Source {
  readonly path: Buffer;
  /** Number of bytes to read. */
  readonly bytes: number;
  readonly facts: Attrs;
}

/**
 * With a high latency, a large file is read through several channels of the connection, as many as the server allows. Each opens the file
 * by name; a channel that finds another file is not used.
 */
async function addLanes({ connection }: Lease, lanes: Lane[], { path, bytes, facts }: Source): Promise<void> {
  if (!Number.isFinite(bytes) || bytes < worthLanes || connection.commands.session.roundTrip() < longTrip) return;
  const [, ...others] = await connection.lanes(mostLanes);
  const opened = await Promise.allSettled(others.map((commands) => openSame(commands, path, facts)));
  for (const lane of opened) if (lane.status === 'fulfilled' && lane.value) lanes.push(lane.value);
}

/** Opens the file at that path if it still has those attributes. */
async function openSame(commands: Commands, path: Buffer, { size, modified }: Attrs): Promise<Lane | undefined> {
  const handle = await commands.openRead(path);
  const [now] = await Promise.allSettled([commands.fstat(handle)]);
  if (now.status === 'fulfilled' && now.value.size === size && now.value.modified === modified) return { commands, handle };
  await commands.close(handle);
  return undefined;
}

interface Part {
  readonly start: number;
  /** Infinity when the server does not send the size. */
  readonly end: number;
  readonly entry: Body['entry'];
  readonly signal: AbortSignal;
  letGo(): void;
}

function bodyOf(lanes: readonly Lane[], { start, end, entry, signal, letGo }: Part): Body {
  let stopped: ConnectorError | undefined;
  let wake = (): void => undefined;
  let over = false;
  const finish = () => {
    if (!over) letGo();
    over = true;
  };
  const stop = (error: ConnectorError) => {
    stopped ??= error;
    wake();
  };
  const giveUp = () => {
    if (over) return;
    signal.removeEventListener('abort', giveUp);
    stop(aborted());
    finish();
  };
  if (signal.aborted) giveUp();
  else signal.addEventListener('abort', giveUp, { once: true });

  const blockSize = Math.min(...lanes.map(({ commands }) => commands.session.maxRead));
  const depth = Math.ceil(lanes.length === 1 ? aheadOnOne / blockSize : (lanes.length * aheadOnEach) / blockSize);
  const endless = end === Number.POSITIVE_INFINITY;

  async function drain(take: (chunk: Uint8Array) => Promise<void> | undefined): Promise<void> {
    const coming: Slot[] = [];
    let next = start;
    let last = end;
    let turn = 0;
    /** Blocks requested or lent. */
    let out = 0;
    const failed = (error: unknown) => stop(asConnectorError(error));
    const giveBack = (buffer: Buffer) => {
      blocks.give(buffer);
      out -= 1;
      wake();
    };
    const ask = (lane: Lane) => {
      const slot: Slot = { block: undefined };
      out += 1;
      fetchBlock(lane, next, Math.min(blockSize, last - next)).then((block) => {
        if (stopped) return giveBack(block.buffer);
        slot.block = block;
        wake();
      }, failed);
      coming.push(slot);
      next += blockSize;
    };
    const hand = ({ buffer, length, short }: Block) => {
      // With an unknown size, the first short block is the last one; those requested after it are past the end.
      if (short && endless) last = 0;
      else if (short) stop(new ConnectorError('interrupted', 'the file is shorter than the server said'));
      if (stopped || length === 0) giveBack(buffer);
      else {
        const taken = take(buffer.subarray(0, length));
        if (taken) taken.catch(failed).finally(() => giveBack(buffer));
        else giveBack(buffer);
      }
    };

    while (!stopped && (out > 0 || next < last)) {
      for (let lane = lanes[turn % lanes.length]; lane && next < last && out < depth; lane = lanes[++turn % lanes.length]) ask(lane);
      const block = coming[0]?.block;
      if (block) {
        coming.shift();
        if (last > 0) hand(block);
        else giveBack(block.buffer);
      } else await new Promise<void>((resolve) => (wake = resolve));
    }
    if (stopped) throw stopped;
  }

  return {
    ...(!endless && { size: end - start }),
    entry,
    async drain(take) {
      try {
        await drain(take);
      } finally {
        signal.removeEventListener('abort', giveUp);
        finish();
      }
    },
    cancel: giveUp,
  };
}

const asConnectorError = (error: unknown): ConnectorError =>
  error instanceof ConnectorError ? error : new ConnectorError('aborted', 'the taker of the bytes failed', { cause: error });

/** A block's position in the file; resolved when its bytes have arrived. */
interface Slot {
  block: Block | undefined;
}

interface Block {
  readonly buffer: Buffer;
  readonly length: number;
  /** Whether the file ended within the block. */
  readonly short: boolean;
}

/** Reads one block, with further requests when the server returns less at a time. */
async function fetchBlock({ commands: { session }, handle }: Lane, offset: number, length: number): Promise<Block> {
  const buffer = blocks.take();
  let got = 0;
  while (got < length) {
    const more = await session.read(handle, offset + got, buffer.subarray(got, length));
    if (more === 0) return { buffer, length: got, short: true };
    got += more;
  }
  return { buffer, length, short: false };
}
