import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

/** Sign-ups that wait for their mailed link, by the hash of its token. */
export function createSignUpStore(db: Db) {
  return {
    async add(row: Database['signUp']): Promise<void> {
      await db.insertInto('signUp').values(row).execute();
    },
    /** The sign-up that the token is of; undefined when there is none or it is too late. */
    find: (tokenHash: string, now: number): Promise<Database['signUp'] | undefined> =>
      db.selectFrom('signUp').selectAll().where('tokenHash', '=', tokenHash).where('expiresAt', '>', now).executeTakeFirst(),
    /** Takes the sign-up out, so that its link works once; undefined when there is none or it is too late. */
    take: (tokenHash: string, now: number): Promise<Database['signUp'] | undefined> =>
      db.deleteFrom('signUp').where('tokenHash', '=', tokenHash).where('expiresAt', '>', now).returningAll().executeTakeFirst(),
    async sweep(now: number): Promise<void> {
      await db.deleteFrom('signUp').where('expiresAt', '<=', now).execute();
    },
  };
}
export type SignUpStore = ReturnType<typeof createSignUpStore>;
