import { useSyncExternalStore } from 'react';
import { isFault } from './call-error.ts';

/** Milliseconds after which a question that is shown again is asked again; between two tries without an answer; and before the one retry. */
const [freshFor, recoveryPause, retryPause] = [10_000, 2500, 1000] as const;

/** What is known of a question's answer. A failed refresh leaves the data. */
export interface Known<Data> {
  readonly data: Data | undefined;
  /** Error of the last try; undefined while nothing has failed since the last answer. */
  readonly error: unknown;
  /** What is being asked for: the data, or more of it. */
  readonly asking: Step | undefined;
  /** Which step `error` is of. */
  readonly failed: Step | undefined;
}
type Step = 'data' | 'more';

type Load<Data> = (signal: AbortSignal, before: Data | undefined) => Promise<Data>;

interface Options<Data> {
  /** Asks for the data. `before` is what was known: a list asks for as many rows as it had. */
  readonly load: Load<Data>;
  /** Asks for more of the data. */
  readonly more?: Load<Data>;
  /** Whether one answer is enough for the life of the page. */
  readonly isOnce?: boolean;
  /** Milliseconds after which an answer is asked for again; undefined: never. */
  readonly pollAfter?: (data: Data) => number | undefined;
}

export interface Question<Data> {
  readonly known: () => Known<Data>;
  /** Keeps the answer current while somebody listens; returns a function that ends it. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Asks now, unless it is being asked. Never rejects: the error is known. */
  readonly ask: (step?: Step) => Promise<void>;
  /** Sets an answer that came another way. */
  readonly set: (data: Data) => void;
}

/**
 * A question to the server whose answer is shown: asked when somebody listens and the answer is missing or older than 10 seconds, again when the window gets
 * the attention or the connection back, and every 2.5 seconds while the server does not answer. For pages that must be small; the app uses TanStack Query.
 */
export function createQuestion<Data>({ load, more, isOnce = false, pollAfter }: Options<Data>): Question<Data> {
  let known: Known<Data> = { data: undefined, error: undefined, asking: undefined, failed: undefined };
  let answeredAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: { readonly end: AbortController; readonly done: Promise<void> } | undefined;
  const listeners = new Set<() => void>();

  function show(next: Known<Data>): void {
    known = next;
    for (const listener of listeners) listener();
  }

  /** `isByItself`: nobody asked for it, so an error stays until there is an answer. */
  function begin(step: Step, isByItself: boolean): Promise<void> {
    if (running) return running.done;
    clearTimeout(timer);
    const end = new AbortController();
    const isAnew = !isByItself && (step === 'more' || known.data === undefined);
    show({ ...known, asking: step, ...(isAnew && { error: undefined, failed: undefined }) });
    const isCurrent = (): boolean => running?.end === end;
    const done = attempt(step === 'more' && more ? more : load, end.signal).then(
      (data) => {
        if (isCurrent()) set(data);
      },
      (error: unknown) => {
        if (!isCurrent()) return;
        running = undefined;
        show({ ...known, asking: undefined, error, failed: step });
        schedule();
      },
    );
    running = { end, done };
    return done;
  }

  async function attempt(run: Load<Data>, signal: AbortSignal): Promise<Data> {
    try {
      return await run(signal, known.data);
    } catch (error) {
      if (!isFault(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryPause));
      return run(signal, known.data);
    }
  }

  function set(data: Data): void {
    running = undefined;
    answeredAt = Date.now();
    show({ data, error: undefined, asking: undefined, failed: undefined });
    schedule();
  }

  function schedule(): void {
    clearTimeout(timer);
    if (listeners.size === 0) return;
    const poll = known.error === undefined && known.data !== undefined ? pollAfter?.(known.data) : undefined;
    const pause = isFault(known.error) ? recoveryPause : poll;
    if (pause !== undefined) timer = setTimeout(() => void begin(known.failed ?? 'data', true), pause);
  }

  function abandon(): void {
    clearTimeout(timer);
    running?.end.abort();
    running = undefined;
    known = { ...known, asking: undefined };
  }

  const isOld = (): boolean => known.data === undefined || (!isOnce && Date.now() - answeredAt > freshFor);
  const look = (): void => {
    if (!document.hidden && isOld() && (known.error === undefined || isFault(known.error))) void begin('data', true);
  };

  return {
    known: () => known,
    ask: (step = 'data') => begin(step, false),
    set,
    subscribe(listener) {
      listeners.add(listener);
      if (listeners.size === 1) {
        if (isOld()) void begin('data', false);
        else schedule();
        document.addEventListener('visibilitychange', look);
        window.addEventListener('online', look);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        abandon();
        document.removeEventListener('visibilitychange', look);
        window.removeEventListener('online', look);
      };
    },
  };
}

/** Questions kept by their arguments, so that a page that is shown again has its answer at once. The oldest is forgotten after `most`. */
export function rememberQuestions<Key extends readonly unknown[], Data>(
  create: (...key: Key) => Question<Data>,
  most = 50,
): (...key: Key) => Question<Data> {
  const kept = new Map<string, Question<Data>>();
  return (...key) => {
    const id = JSON.stringify(key);
    const question = kept.get(id) ?? create(...key);
    kept.delete(id);
    kept.set(id, question);
    for (const oldest of kept.keys()) {
      if (kept.size <= most) break;
      kept.delete(oldest);
    }
    return question;
  };
}

const unasked: Known<never> = { data: undefined, error: undefined, asking: undefined, failed: undefined };
const noChanges = () => (): void => undefined;

/** What is known of a question, which is kept current meanwhile; of undefined nothing is, and nothing is asked. */
export const useKnown = <Data>(question: Question<Data> | undefined): Known<Data> =>
  useSyncExternalStore(question?.subscribe ?? noChanges, question?.known ?? (() => unasked));
