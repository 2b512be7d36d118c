import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

/** Store of sign-ups that wait for their mailed link, keyed by the token's hash. */
export function createSignUpStore(db: Db) {
  return {
    async add(row: Database['signUp']): Promise<void> {
      await db.insertInto('signUp').values(row).execute();
    },
    /** Returns the token's sign-up; undefined when unknown or expired. */
    find: (tokenHash: string, now: number): Promise<Database['signUp'] | undefined> =>
      db.selectFrom('signUp').selectAll().where('tokenHash', '=', tokenHash).where('expiresAt', '>', now).executeTakeFirst(),
    /** Deletes and returns the sign-up, so that its link works once; undefined when unknown or expired. */
    take: (tokenHash: string, now: number): Promise<Database['signUp'] | undefined> =>
      db.deleteFrom('signUp').where('tokenHash', '=', tokenHash).where('expiresAt', '>', now).returningAll().executeTakeFirst(),
    async sweep(now: number): Promise<void> {
      await db.deleteFrom('signUp').where('expiresAt', '<=', now).execute();
    },
  };
}
export type SignUpStore = ReturnType<typeof createSignUpStore>;
