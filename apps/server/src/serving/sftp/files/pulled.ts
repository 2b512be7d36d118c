import type { Body } from '@sheaf/connectors';
import { freeWhole, markHandled } from '@sheaf/connectors';

/** A body that is read piece by piece. */
export interface Pulled {
  /** The next bytes in memory of their own; fewer than `size` only at the end. One call at a time. Rejects as the body does, or when the signal aborts. */
  take(size: number): Promise<Uint8Array>;
  stop(): void;
}

interface Lent {
  readonly chunk: Uint8Array;
  used: number;
  readonly giveBack: () => void;
}

/** Reads a body on demand: each byte is copied once, from the memory that the source lends to where it is wanted. */
export function pull(body: Body, signal: AbortSignal): Pulled {
  const lent: Lent[] = [];
  let ended = false;
  let failure: { readonly error: unknown } | undefined;
  let wake = (): void => undefined;

  const stop = (): void => {
    ended = true;
    body.cancel();
    for (const { giveBack } of lent.splice(0)) giveBack();
    wake();
  };
  const giveUp = (): void => {
    failure ??= { error: signal.reason };
    stop();
  };
  const draining = body.drain((chunk) => {
    if (ended || chunk.byteLength === 0) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    lent.push({ chunk, used: 0, giveBack: resolve });
    wake();
    return promise;
  });
  const finished = (): void => {
    signal.removeEventListener('abort', giveUp);
    ended = true;
    wake();
  };
  void markHandled(
    draining.then(finished, (error: unknown) => {
      failure ??= { error };
      finished();
    }),
  );
  if (signal.aborted) giveUp();
  else signal.addEventListener('abort', giveUp, { once: true });

  return {
    async take(size) {
      const piece = Buffer.allocUnsafeSlow(size);
      let filled = 0;
      while (filled < size) {
        const [first] = lent;
        if (first) {
          const part = first.chunk.subarray(first.used, first.used + size - filled);
          piece.set(part, filled);
          filled += part.byteLength;
          first.used += part.byteLength;
          if (first.used < first.chunk.byteLength) continue;
          lent.shift();
          first.giveBack();
        } else if (failure) throw failure.error;
        else if (ended) break;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
      if (filled === size) return piece;
      const short = Uint8Array.prototype.slice.call(piece, 0, filled);
      freeWhole(piece);
      return short;
    },
    stop,
  };
}
