import type { Body } from '../core/connector.ts';
import { deadlines } from '../core/deadlines.ts';
import { ConnectorError, isKind } from '../core/error.ts';
import { factsOf } from '../core/operations.ts';
import { follow } from './follow.ts';
import type { Answer, Layer, LayerCall } from './layered.ts';
import { type Caller, mayEnter, rankOf, yieldsTo } from './permits.ts';
import { canBeResumed, pausedError } from './resuming.ts';

interface Options {
  /** How long a call may wait for a permit, in ms, except for a transfer of the owner's. */
  readonly maxWait?: number;
  /** How long a transfer of the owner's may wait for a permit, in ms: the transfers before it may take minutes. */
  readonly maxTransferWait?: number;
  /** How long a call waits, in ms, before a resumable download is paused for it. */
  readonly nudgeEvery?: number;
  /** On whose behalf the current call is made: the network of a visitor, or undefined for the owner. */
  readonly guest?: () => string | undefined;
}

interface Holder extends Caller {
  /** Pauses the call, where that is possible. */
  pause?: (() => void) | undefined;
  /** Name of the file that the call uploads; uploads cannot be paused. */
  readonly uploads?: string | undefined;
}
interface Waiter extends Caller {
  readonly enter: () => void;
}

/**
 * Allows `permits` concurrent calls. Browsing comes before transfers, and the owner before visitors; callers of equal rank are served in
 * order of arrival. Transfers leave one permit free, visitors leave one to the owner, see `mayEnter`. Where that is not enough, resumable
 * downloads are paused: they fail with an error that makes `wholeReads` wait for another permit. A wait ends with the caller's signal, or
 * with `rateLimited`. A listing keeps its permit until its last batch, and a body until it is drained or cancelled: a caller that holds a
 * permit must not wait for another call of the same link, or both may wait forever. Uploads cannot be paused; the error of a call that
 * waited in vain for one has its file name in details.uploading, except for visitors.
 */
export function limit(permits: number, options: Options = {}): Layer {
  const { maxWait = deadlines.permit, maxTransferWait = deadlines.longWork, nudgeEvery = 1_000, guest = () => undefined } = options;
  const holders = new Set<Holder>();
  const waiting = new Set<Waiter>();

  /** Grants free permits: the highest rank first, in order of arrival. */
  function admit(): void {
    const ranked = [...waiting].toSorted((one, other) => rankOf(one) - rankOf(other));
    for (const waiter of ranked) if (mayEnter(waiter, holders, permits)) waiter.enter();
  }

  function release(holder: Holder): void {
    if (holders.delete(holder)) admit();
  }

  /** Pauses the first download whose permit the caller could use, visitors' downloads first. */
  function makeRoomFor(caller: Caller): void {
    const lowest = [...holders].toSorted((one, other) => rankOf(other) - rankOf(one));
    const found = lowest.find(
      (holder) => holder.pause && yieldsTo(holder, caller) && mayEnter(caller, new Set(lowest.filter((one) => one !== holder)), permits),
    );
    found?.pause?.();
  }

  /** The error of a call that waited in vain; names an upload that uses a connection, except to visitors. */
  function busyError({ guest: network }: Caller, cause?: unknown): ConnectorError {
    const uploading = network === undefined ? [...holders].find(({ uploads }) => uploads !== undefined)?.uploads : undefined;
    return new ConnectorError('rateLimited', 'all connections of the link stayed busy', {
      ...(cause !== undefined && { cause }),
      details: { waited: 'connections', ...(uploading !== undefined && { uploading }) },
    });
  }

  function acquire(caller: Caller, uploads: string | undefined, signal: AbortSignal): Promise<Holder> | Holder {
    const holder: Holder = { ...caller, uploads };
    // This overtakes no waiting caller: each of them is admitted as soon as it may enter.
    if (mayEnter(caller, holders, permits)) {
      holders.add(holder);
      return holder;
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        clearInterval(nudge);
        signal.removeEventListener('abort', giveUp);
        waiting.delete(waiter);
      };
      const enter = () => {
        leave();
        holders.add(holder);
        resolve(holder);
      };
      const giveUp = () => {
        leave();
        reject(new ConnectorError('aborted', 'given up while waiting for a connection'));
      };
      const waiter = { ...caller, enter };
      const longest = caller.isTransfer && caller.guest === undefined ? maxTransferWait : maxWait;
      const timer = setTimeout(() => {
        leave();
        reject(busyError(caller));
      }, longest);
      const nudge = setInterval(() => makeRoomFor(caller), nudgeEvery);
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.add(waiter);
    });
  }

  return async (call, next) => {
    const { signal } = call;
    if (signal.aborted) throw new ConnectorError('aborted', 'given up before it began');
    const caller = { isTransfer: factsOf(call.operation).isTransfer, guest: guest() };
    const holder = await acquire(caller, call.body ? call.path.slice(call.path.lastIndexOf('/') + 1) : undefined, signal);
    const ended = () => release(holder);
    try {
      return follow(pausable(call, await next(signal), holder, ended), { ended });
    } catch (error) {
      ended();
      // A server may allow fewer connections than the link's settings.
      if (isKind(error, 'rateLimited') && error.details['waited'] === 'connections') throw busyError(caller, error);
      throw error;
    }
  };
}

/** Returns the same answer; if it is a resumable download, its holder can be paused from now on. */
function pausable(call: LayerCall, answer: Answer, holder: Holder, freed: () => void): Answer {
  if (answer.shape !== 'body' || call.operation !== 'read' || !(call.files || canBeResumed(answer.body))) return answer;
  const { body } = answer;
  let isPaused = false;
  holder.pause = () => {
    isPaused = true;
    holder.pause = undefined;
    body.cancel();
    freed();
  };
  const told = (error: unknown): never => {
    throw isPaused ? pausedError(error) : error;
  };
  const paused: Body = {
    ...(body.size !== undefined && { size: body.size }),
    entry: body.entry,
    cancel: () => body.cancel(),
    drain: async (take) => {
      if (isPaused) throw pausedError();
      await body.drain(take).catch(told);
    },
  };
  return { shape: 'body', body: paused };
}
