import { hash } from 'node:crypto';
import { appError } from '@sheaf/contract';
import { sql } from 'kysely';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Clock } from './clock.ts';

/** Number of tries within a number of seconds. */
export interface Allowance {
  readonly tries: number;
  readonly seconds: number;
}

export type Throttle = ReturnType<typeof createThrottle>;

/**
 * Counts tries in the database, so that all instances share the count and a restart keeps it. Counts before the try, so that concurrent tries cannot
 * exceed the limit.
 */
export function createThrottle(db: Db, now: Clock) {
  // Hashed, because keys contain personal addresses.
  const stored = (key: string): string => hash('sha256', key, 'base64url');
  return {
    /** Counts a try; throws TOO_MANY_TRIES with the seconds to wait when the limit is reached. */
    async count(key: string, { tries, seconds }: Allowance): Promise<void> {
      const time = now();
      const isOver = sql<boolean>`${sql.ref('throttle.windowEndsAt')} <= ${time}`;
      const row = await db
        .insertInto('throttle')
        .values({ key: stored(key), tries: 1, windowEndsAt: time + seconds })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({
            tries: sql<number>`case when ${isOver} then 1 else ${sql.ref('throttle.tries')} + 1 end`,
            windowEndsAt: sql<number>`case when ${isOver} then ${time + seconds} else ${sql.ref('throttle.windowEndsAt')} end`,
          }),
        )
        .returning(['tries', 'windowEndsAt'])
        .executeTakeFirstOrThrow();
      if (row.tries > tries) throw appError('TOO_MANY_TRIES', { seconds: String(Math.max(1, row.windowEndsAt - time)) });
    },

    /** Uncounts a try whose password was right: others may be guessing under the same key. */
    async uncount(key: string): Promise<void> {
      await db
        .updateTable('throttle')
        .set((by) => ({ tries: by('tries', '-', 1) }))
        .where('key', '=', stored(key))
        .where('tries', '>', 0)
        .execute();
    },

    /** Resets the count after a success. */
    async clear(key: string): Promise<void> {
      await db.deleteFrom('throttle').where('key', '=', stored(key)).execute();
    },

    async sweep(): Promise<void> {
      await db.deleteFrom('throttle').where('windowEndsAt', '<=', now()).execute();
    },
  };
}
