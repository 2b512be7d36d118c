import { AppError } from '@sheaf/contract';
import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/value';

/** Which jobs are claimed first. Some slots of each runner are kept for `high`, so that long jobs never hold up short ones. */
export const priorities = { high: 0, normal: 1, low: 2 } as const;
export type Priority = keyof typeof priorities;

/** What a handler gets of the job it runs. */
export interface JobContext<Payload> {
  readonly id: string;
  readonly scope: string;
  readonly payload: Payload;
  /** What an earlier attempt has stored; undefined at first. Another version of the program may have written it. */
  readonly progress: unknown;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Aborts when the lease is lost, the job is cancelled or the process stops. A handler that goes on regardless may run beside its successor. */
  readonly signal: AbortSignal;
  /** Stores progress as JSON; rejects with LeaseLost when another worker has the job. */
  checkpoint(progress: unknown): Promise<void>;
  /** Whether this worker still holds the job; to be asked before a step that must not happen twice. */
  stillMine(): Promise<boolean>;
}

/** How a handler may end other than with success or an error: run again then, which counts as no failure (a quota of the day, Retry-After). */
export interface RunAgain {
  /** Milliseconds. */
  readonly again: number;
}

interface Definition<P extends TSchema> {
  readonly kind: string;
  readonly payload: P;
  /** Attempts before the job is dead; a scheduled one is tried again without end. */
  readonly attempts?: number;
  /** Cron text in UTC: runs by itself, once among all instances, and never beside itself. */
  readonly schedule?: string;
  /** A scheduled job that also runs when a process starts. */
  readonly atStart?: boolean;
  /** May run several times, when a process dies before its success is stored: has to be repeatable. */
  run(context: JobContext<Static<P>>): Promise<void | RunAgain>;
}

/** A kind of job, its payload not yet checked. */
export interface JobHandler {
  readonly kind: string;
  readonly attempts: number;
  readonly schedule?: string;
  readonly atStart: boolean;
  accepts(payload: unknown): boolean;
  run(context: JobContext<unknown>): Promise<void | RunAgain>;
}

const usualAttempts = 10;

/** Declares a kind of job. */
export function defineJob<P extends TSchema>({ attempts = usualAttempts, atStart = false, payload, ...rest }: Definition<P>): JobHandler {
  return {
    ...rest,
    attempts,
    atStart,
    accepts: (value) => Check(payload, value),
    run: (context) => {
      const { payload: value } = context;
      if (!Check(payload, value)) return Promise.reject(new InvalidPayload(rest.kind));
      return rest.run({ ...context, payload: value });
    },
  };
}

/** Another worker holds the job by now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  constructor() {
    super('another worker has the job');
  }
}

/** A stored payload that the handler's schema refuses; trying again would not help. */
export class InvalidPayload extends Error {
  override readonly name = 'InvalidPayload';
  constructor(kind: string) {
    super(`the payload is none of ${kind}`);
  }
}

const [firstWait, longestWait] = [10_000, 3_600_000];

/** Milliseconds before the next attempt: doubled each time up to an hour, a quarter more or less, so that many failures do not come back at once. */
export const retryWait = (attempt: number, random: () => number = Math.random): number =>
  Math.round(Math.min(longestWait, firstWait * 2 ** Math.min(attempt - 1, 20)) * (0.75 + random() / 2));

/** Why an attempt failed, for the operator: the code of a known error, otherwise its name and the start of its message. */
export function reasonOf(error: unknown): string {
  if (error instanceof AppError) return error.messageCode;
  if (!(error instanceof Error)) return 'a thrown value that is no error';
  return `${error.name}: ${error.message}`.slice(0, 300);
}
