import { Worker, parentPort } from 'node:worker_threads';

/** A worker that answers requests one after the other. */
export interface Thread<Question, Answer> {
  /** Rejects with the worker's error, or when the worker has ended. SQLite errors keep their `errcode`. */
  ask(question: Question): Promise<Answer>;
  close(): Promise<void>;
}

interface Failure {
  readonly message: string;
  readonly errcode?: unknown;
}
type Reply<Answer> = { readonly id: number; readonly answer: Answer } | { readonly id: number; readonly failure: Failure };

/** Milliseconds without a request after which the thread ends and frees its memory. */
const idleTime = 30_000;
/** The thread's data lives in SQLite; without a limit V8 would take tens of megabytes for texts that pass through. */
const resourceLimits = { maxYoungGenerationSizeMb: 1 };

interface Options {
  readonly file: URL;
  readonly data?: string;
  /** Whether the worker holds state that a later request needs. */
  readonly isNeeded?: () => boolean;
}

/** A thread that starts with its first request and ends when idle. */
export function createThread<Question, Answer>({ file, data, isNeeded = () => false }: Options): Thread<Question, Answer> {
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let ids = 0;

  function begin(): Worker {
    const begun = new Worker(file, { workerData: data, resourceLimits });
    const failed = (error: unknown): void => {
      if (worker !== begun) return;
      worker = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    begun.on('message', (reply: Reply<Answer>) => {
      const question = waiting.get(reply.id);
      waiting.delete(reply.id);
      if ('answer' in reply) question?.resolve(reply.answer);
      else question?.reject(Object.assign(new Error(reply.failure.message), reply.failure));
      if (waiting.size === 0) rest();
    });
    begun.on('error', failed);
    begun.on('exit', () => failed(new Error('the thread has ended')));
    return begun;
  }

  function rest(): void {
    worker?.unref();
    clearTimeout(idle);
    idle = setTimeout(() => {
      if (waiting.size > 0) return;
      if (isNeeded()) return rest();
      const ending = worker;
      worker = undefined;
      void ending?.terminate();
    }, idleTime).unref();
  }

  return {
    ask(question) {
      worker ??= begin();
      worker.ref();
      const answer = Promise.withResolvers<Answer>();
      const id = ++ids;
      waiting.set(id, answer);
      worker.postMessage({ id, question });
      return answer.promise;
    },
    async close() {
      clearTimeout(idle);
      await worker?.terminate();
    },
  };
}

/** Address of a worker's file: TypeScript in the sources, JavaScript in the built server. */
export const workerFile = (name: string, beside: string): URL => new URL(`./${name}.${beside.endsWith('.ts') ? 'ts' : 'js'}`, beside);

/** Worker side of {@link createThread}: answers every request. */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Answer): void {
  parentPort?.on('message', ({ id, question }: { readonly id: number; readonly question: Question }) => {
    let reply: Reply<Answer>;
    try {
      reply = { id, answer: answer(question) };
    } catch (error) {
      // Own properties of an error do not survive the transfer between threads.
      const failure = { message: error instanceof Error ? error.message : String(error) };
      reply = { id, failure: error instanceof Error && 'errcode' in error ? { ...failure, errcode: error.errcode } : failure };
    }
    parentPort?.postMessage(reply);
  });
}
