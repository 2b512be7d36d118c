import { Worker } from 'node:worker_threads';
import type { HashRequest, HashReply } from './hash-worker.ts';

/** A hash computed on another thread than the one that transfers the bytes. */
export interface ThreadHash {
  /** Copies the chunk; returns a promise while the thread is behind. */
  update(chunk: Uint8Array): Promise<void> | undefined;
  /** The hash; rejects when the thread has ended. Call it once. */
  digest(): Promise<string>;
  /** Discards the hash. Does nothing after `digest`. */
  cancel(): void;
}

/** Bytes per message to the thread: large enough that the cost of messages does not matter. */
const pieceSize = 512 * 1024;
/** Maximum number of pieces of one hash sent to the thread and not yet processed. */
const mostUnderWay = 8;
/** Pieces kept for reuse. */
const mostSpare = 16;
/** Milliseconds after the last hash before the thread ends. */
const idleTime = 30_000;

/** One worker for all hashes of the process: started with the first hash, ended when idle. */
export function createHashThread() {
  const spare: ArrayBuffer[] = [];
  const underWay = new Map<number, Awaiting>();
  let worker: Worker | undefined;
  let ids = 0;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const file = import.meta.filename.endsWith('.ts') ? './hash-worker.ts' : './hash-worker.js';
    const begun = new Worker(new URL(file, import.meta.url));
    begun.on('message', (reply: HashReply) => underWay.get(reply.id)?.heard(reply));
    const failed = (error: unknown) => {
      if (worker === begun) worker = undefined;
      for (const hash of underWay.values()) hash.failed(error);
      underWay.clear();
    };
    begun.on('error', failed);
    begun.on('exit', () => failed(new Error('the hash thread has ended')));
    return begun;
  }

  function enter(hash: Awaiting): number {
    clearTimeout(idle);
    (worker ??= start()).ref();
    underWay.set(++ids, hash);
    return ids;
  }
  function leave(id: number): void {
    underWay.delete(id);
    if (underWay.size > 0) return;
    worker?.unref();
    clearTimeout(idle);
    idle = setTimeout(() => {
      const ending = worker;
      worker = undefined;
      spare.length = 0;
      void ending?.terminate();
    }, idleTime).unref();
  }

  return {
    /** Starts a hash with one of Node's algorithms, or `crc32c`. */
    hash(algorithm: string, encoding: 'hex' | 'base64' = 'hex'): ThreadHash {
      /** Memory for the next piece, taken with its first byte. */
      let piece: ArrayBuffer | undefined;
      let filled = 0;
      let away = 0;
      let trouble: unknown;
      let wake: (() => void) | undefined;
      let told: PromiseWithResolvers<string> | undefined;
      const id = enter({
        heard(reply) {
          if ('digest' in reply) {
            leave(id);
            told?.resolve(reply.digest);
            return;
          }
          if (spare.length < mostSpare) spare.push(reply.bytes);
          away--;
          wake?.();
        },
        failed(error) {
          trouble = error;
          told?.reject(error);
          wake?.();
        },
      });
      const ask = (message: HashRequest, transfer: ArrayBuffer[] = []) => worker?.postMessage(message, transfer);
      const sendPiece = () => {
        if (!piece) return;
        ask({ id, algorithm, bytes: piece, length: filled }, [piece]);
        away++;
        filled = 0;
        piece = undefined;
      };
      /** Copies what fits, and returns the offset at which it stopped. */
      const copy = (chunk: Uint8Array, from: number): number => {
        let at = from;
        while (at < chunk.byteLength && away < mostUnderWay && trouble === undefined) {
          const part = chunk.subarray(at, at + pieceSize - filled);
          piece ??= spare.pop() ?? new ArrayBuffer(pieceSize);
          new Uint8Array(piece).set(part, filled);
          filled += part.byteLength;
          at += part.byteLength;
          if (filled === pieceSize) sendPiece();
        }
        return trouble === undefined ? at : chunk.byteLength;
      };
      const copyRest = async (chunk: Uint8Array, from: number): Promise<void> => {
        for (let at = from; at < chunk.byteLength; at = copy(chunk, at)) {
          const { promise, resolve } = Promise.withResolvers<void>();
          wake = resolve;
          await promise;
        }
        wake = undefined;
      };
      return {
        update(chunk) {
          const at = copy(chunk, 0);
          return at < chunk.byteLength ? copyRest(chunk, at) : undefined;
        },
        digest() {
          told = Promise.withResolvers();
          if (trouble !== undefined) told.reject(trouble);
          sendPiece();
          ask({ id, end: encoding, algorithm });
          return told.promise;
        },
        cancel() {
          if (told || !underWay.has(id)) return;
          ask({ id, end: 'forget', algorithm });
          leave(id);
          if (piece && spare.length < mostSpare) spare.push(piece);
          piece = undefined;
          // A caller that waits for the thread to process a chunk would wait forever: the thread's replies are ignored from now on.
          trouble ??= new Error('the hash was discarded');
          wake?.();
        },
      };
    },
  };
}

interface Awaiting {
  heard(reply: HashReply): void;
  failed(error: unknown): void;
}
