import { crc32 } from 'node:zlib';
import type { Body, Connector, SmallFile } from '../core/connector.ts';
import { ConnectorError } from '../core/error.ts';
import { createLifeline } from './lifeline.ts';
import { isPause } from './resuming.ts';

type ReadMany = NonNullable<Connector['readMany']>;

/**
 * Continues the reading of many small files after a pause: requests the interrupted file and all files after it again, and passes on only
 * the missing bytes. Rejects with `unexpected` if the interrupted file has changed in the meantime, so that no file is made of two
 * versions. The caller handles all other failures.
 */
export function continuingBatches(readMany: ReadMany): ReadMany {
  return async (files, { signal }) => {
    const lifeline = createLifeline(signal);
    const first = await readMany(files, { signal: lifeline.signal }).catch((error: unknown) => {
      lifeline.release();
      throw error;
    });
    const progress = createProgress(files);
    let current = first;
    let isCancelled = false;

    async function drain(take: Parameters<Body['drain']>[0]): Promise<void> {
      for (;;) {
        try {
          await current.drain((chunk) => progress.pass(chunk, take));
          return;
        } catch (error) {
          if (!isPause(error) || isCancelled || signal.aborted) throw error;
        }
        const rest = progress.rest();
        if (rest.length === 0) return;
        current = await readMany(rest, { signal: lifeline.signal });
      }
    }

    return {
      ...(first.size !== undefined && { size: first.size }),
      entry: first.entry,
      drain: (take) => drain(take).finally(() => lifeline.release()),
      cancel() {
        isCancelled = true;
        lifeline.abort();
        lifeline.release();
        current.cancel();
      },
    };
  };
}

/** Progress of a batch. */
function createProgress(files: readonly SmallFile[]) {
  /** Index of the current file, the number of its bytes that were passed on, and their checksum. */
  let at = 0;
  let passed = 0;
  let sum = 0;
  /** Bytes of that file that are received a second time: how many are still to come, and the checksum of those that came. */
  let again = 0;
  let sumAgain = 0;

  /** Compares repeated bytes with those passed on before; returns the rest. */
  function compare(chunk: Uint8Array): Uint8Array {
    const known = chunk.subarray(0, again);
    sumAgain = crc32(known, sumAgain);
    again -= known.byteLength;
    if (known.byteLength > 0 && again === 0 && sumAgain !== sum) throw new ConnectorError('unexpected', 'a file has changed meanwhile');
    return chunk.subarray(known.byteLength);
  }

  function count(chunk: Uint8Array): void {
    let left = chunk;
    for (let file = files[at]; file !== undefined; file = files[at]) {
      const piece = left.subarray(0, file.size - passed);
      passed += piece.byteLength;
      sum = crc32(piece, sum);
      left = left.subarray(piece.byteLength);
      if (passed < file.size) return;
      at += 1;
      passed = 0;
      sum = 0;
    }
  }

  return {
    pass(chunk: Uint8Array, take: Parameters<Body['drain']>[0]): Promise<void> | undefined {
      const fresh = again > 0 ? compare(chunk) : chunk;
      if (fresh.byteLength === 0) return undefined;
      count(fresh);
      return take(fresh);
    },
    /** The incomplete files; the first one will be received from its beginning. */
    rest(): readonly SmallFile[] {
      again = passed;
      sumAgain = 0;
      return files.slice(at);
    },
  };
}
