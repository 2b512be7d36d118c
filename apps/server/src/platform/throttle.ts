import { hash } from 'node:crypto';
import { appError } from '@sheaf/contract';
import { sql } from 'kysely';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Clock } from './clock.ts';

/** How many tries within how many seconds. */
export interface Allowance {
  readonly tries: number;
  readonly seconds: number;
}

export type Throttle = ReturnType<typeof createThrottle>;

/**
 * Counts tries in the database, so that all instances count together and a restart forgives nothing. A try is counted before it is made:
 * many at once cannot slip through.
 */
export function createThrottle(db: Db, now: Clock) {
  // Keys hold addresses of people; the table need not.
  const stored = (key: string): string => hash('sha256', key, 'base64url');
  return {
    /** Counts a try; throws TOO_MANY_TRIES with the seconds to wait when there were enough. */
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

    /** Takes a try back: it was the right password, which others give as well under that key. */
    async uncount(key: string): Promise<void> {
      await db
        .updateTable('throttle')
        .set((by) => ({ tries: by('tries', '-', 1) }))
        .where('key', '=', stored(key))
        .where('tries', '>', 0)
        .execute();
    },

    /** Forgets the tries under that key: the right password was given. */
    async clear(key: string): Promise<void> {
      await db.deleteFrom('throttle').where('key', '=', stored(key)).execute();
    },

    async sweep(): Promise<void> {
      await db.deleteFrom('throttle').where('windowEndsAt', '<=', now()).execute();
    },
  };
}
