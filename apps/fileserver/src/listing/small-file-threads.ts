import { Worker } from 'node:worker_threads';
import type { SmallFilesAsked, SmallFilesRead } from './small-file-thread.ts';

/** Concurrent threads: a remote disk answers several reads in the time of one. */
const mostThreads = 4;

interface Thread {
  readonly worker: Worker;
  /** Takes the answer of the thread's current request, if any. */
  answer: ((read: SmallFilesRead | Error) => void) | undefined;
}

/** Reads small files on dedicated threads, which start on demand and do not keep the process alive. */
export function createSmallFileThreads() {
  const threads = new Set<Thread>();
  const waiting: { readonly asked: SmallFilesAsked; readonly answer: (read: SmallFilesRead | Error) => void }[] = [];

  function start(): Thread {
    const worker = new Worker(new URL('./small-file-thread.ts', import.meta.url));
    const thread: Thread = { worker, answer: undefined };
    const end = (error: Error): void => {
      threads.delete(thread);
      thread.answer?.(error);
      thread.answer = undefined;
    };
    worker.unref();
    worker.on('message', (read: SmallFilesRead) => {
      const { answer } = thread;
      thread.answer = undefined;
      answer?.(read);
      next();
    });
    worker.on('error', end).on('exit', () => end(new Error('the thread has ended')));
    threads.add(thread);
    return thread;
  }

  function next(): void {
    const idle = threads.values().find(({ answer }) => answer === undefined) ?? (threads.size < mostThreads ? start() : undefined);
    const job = idle && waiting.shift();
    if (!idle || !job) return;
    idle.answer = job.answer;
    idle.worker.postMessage(job.asked, [job.asked.memory]);
  }

  return {
    /** Rejects when no thread can run; the buffer is lost then. */
    read(asked: SmallFilesAsked): Promise<SmallFilesRead> {
      return new Promise((resolve, reject) => {
        waiting.push({ asked, answer: (read) => (read instanceof Error ? reject(read) : resolve(read)) });
        next();
      });
    },
  };
}
