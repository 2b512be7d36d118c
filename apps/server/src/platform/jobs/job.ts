import { waitAfter } from '@sheaf/connectors/kit/concurrency/backoff.ts';
import { AppError } from '@sheaf/contract';
import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';

/** Order in which jobs are claimed. Some slots of each runner are reserved for `high`, so that long jobs never delay short ones. */
export const priorities = { high: 0, normal: 1, low: 2 } as const;
export type Priority = keyof typeof priorities;

/** Stands before the id of the data folder in the kinds of jobs that work on it. */
export const localMark = '@';

/** What a handler receives with its job. */
export interface JobContext<Payload> {
  readonly id: string;
  readonly scope: string;
  readonly payload: Payload;
  /** Progress stored by an earlier attempt; undefined at first. Another version of the program may have written it. */
  readonly progress: unknown;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Aborts when the lease is lost, the job is cancelled or the process stops. A handler that ignores it may run concurrently with its successor. */
  readonly signal: AbortSignal;
  /** Stores progress as JSON, and counts attempts anew when it is other than before; rejects with LeaseLost when another worker has the job. */
  checkpoint(progress: unknown): Promise<void>;
  /** Whether this worker still holds the job; check before a step that must not happen twice. */
  stillMine(): Promise<boolean>;
}

/** Payload of a job that needs none. */
export const Nothing = Type.Object({});

/** A handler's result that asks for another run without counting as a failure (a daily quota, Retry-After). */
export interface RunAgain {
  /** Milliseconds. */
  readonly again: number;
}

interface Definition<P extends TSchema> {
  readonly kind: string;
  readonly payload: P;
  /** Attempts before the job is dead; a scheduled one is retried without end. */
  readonly attempts?: number;
  /** Cron text in UTC: runs once among all instances, never concurrently with itself. */
  readonly schedule?: string;
  /** A scheduled job that also runs when a process starts. */
  readonly atStart?: boolean;
  /** May run several times when a process dies before its success is stored, so it must be repeatable. */
  run(context: JobContext<Static<P>>): Promise<void | RunAgain>;
  /** Called when the job has failed for good or was cancelled, before that is stored: whatever waits for the job must learn of it. Must be repeatable. */
  died?(job: DeadJob<Static<P>>): Promise<void>;
}

/** A job that is not tried again. */
export interface DeadJob<Payload> {
  readonly scope: string;
  readonly payload: Payload;
}

/** A kind of job with an unchecked payload. */
export interface JobHandler {
  readonly kind: string;
  readonly attempts: number;
  readonly schedule?: string;
  readonly atStart: boolean;
  accepts(payload: unknown): boolean;
  run(context: JobContext<unknown>): Promise<void | RunAgain>;
  died?(job: DeadJob<unknown>): Promise<void>;
}

const usualAttempts = 10;

/** Declares a kind of job. */
export function defineJob<P extends TSchema>({
  attempts = usualAttempts,
  atStart = false,
  payload,
  died,
  ...rest
}: Definition<P>): JobHandler {
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
    ...(died && {
      died: async (job: DeadJob<unknown>) => {
        const { payload: value } = job;
        if (Check(payload, value)) await died({ ...job, payload: value });
      },
    }),
  };
}

/** Another worker holds the job. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  constructor() {
    super('another worker has the job');
  }
}

/** A failure that a retry would not help: the job is dead at once. */
export class PermanentFailure extends Error {
  override readonly name: string = 'PermanentFailure';
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

/** A stored payload that the handler's schema rejects. */
class InvalidPayload extends PermanentFailure {
  override readonly name = 'InvalidPayload';
  constructor(kind: string) {
    super(`the payload is none of ${kind}`);
  }
}

/** Milliseconds; with 25 % jitter, so that many failures do not retry at once. */
const backoff = { first: 10_000, most: 3_600_000, spread: [0.75, 1.25] } as const;

/** Milliseconds before the next attempt: doubled each time up to an hour. */
export const retryWait = (attempt: number, random = Math.random): number => Math.round(waitAfter(attempt, backoff, 0, random));

/** Why an attempt failed, for the operator: the code of a known error, otherwise its name and the start of its message. */
export function reasonOf(error: unknown): string {
  if (error instanceof AppError) return error.messageCode;
  if (!(error instanceof Error)) return 'a thrown value that is no error';
  return `${error.name}: ${error.message}`.slice(0, 300);
}
