import { Worker } from 'node:worker_threads';
import type { SmallFilesAsked, SmallFilesRead } from './small-file-thread.ts';

/** Threads that read at once: a disk far away answers several in the time of one. */
const mostThreads = 4;

interface Thread {
  readonly worker: Worker;
  /** Takes the answer to what the thread is at, if it is at anything. */
  answer: ((read: SmallFilesRead | Error) => void) | undefined;
}

/** Reads small files on threads of its own, which are started when they are needed and keep no process alive. */
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
    /** Rejects when no thread can do it; the memory is gone then. */
    read(asked: SmallFilesAsked): Promise<SmallFilesRead> {
      return new Promise((resolve, reject) => {
        waiting.push({ asked, answer: (read) => (read instanceof Error ? reject(read) : resolve(read)) });
        next();
      });
    },
  };
}
