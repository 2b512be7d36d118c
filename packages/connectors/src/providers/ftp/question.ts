import type { Series } from './control.ts';
import type { Reply } from './errors.ts';
import type { Session } from './session.ts';

/** The meaning of the replies, or a further query to send once their series is over. */
export type Answer<T> = { readonly value: T } | { readonly further: () => Promise<T> };

/** Lines that may be sent together with others, and how to interpret their replies. */
export interface Question<T> {
  readonly lines: readonly string[];
  /** Waits for the replies to as many lines as needed; rejects when they are refusals. */
  readonly read: (next: () => Promise<Reply>) => Promise<Answer<T>>;
}

/** Reads the replies to a query's lines from a series, also when it rejects. */
export async function answerTo<T>({ lines, read }: Question<T>, series: Series): Promise<Answer<T>> {
  let used = 0;
  const next = (): Promise<Reply> => {
    used += 1;
    return series.next();
  };
  try {
    return await read(next);
  } finally {
    await series.skip(lines.length - used);
  }
}

/** Returns the same query with another interpretation of its answer, which may reject. */
export const mapped = <T, U>({ lines, read }: Question<T>, meaning: (value: T) => U): Question<U> => ({
  lines,
  async read(next) {
    const answer = await read(next);
    return 'value' in answer ? { value: meaning(answer.value) } : { further: async () => meaning(await answer.further()) };
  },
});

/** Sends one query. */
export async function asked<T>(session: Session, question: Question<T>, signal: AbortSignal): Promise<T> {
  const answer = await answerTo(question, session.control.series(question.lines, signal));
  return 'value' in answer ? answer.value : answer.further();
}

/** Sends several queries together; rejects with the first one that rejects. */
export async function allAsked(session: Session, questions: readonly Question<void>[], signal: AbortSignal): Promise<void> {
  const lines = questions.flatMap((question) => question.lines);
  const series = session.control.series(lines, signal);
  const further: (() => Promise<void>)[] = [];
  let left = lines.length;
  try {
    for (const question of questions) {
      left -= question.lines.length;
      const answer = await answerTo(question, series);
      if ('further' in answer) further.push(answer.further);
    }
  } finally {
    await series.skip(left);
  }
  for (const ask of further) await ask();
}
