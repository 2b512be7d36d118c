import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

type Row = Database['passkey_challenge'];

/** Store of challenges sent to passkeys. */
export function createChallengeStore(db: Db) {
  return {
    async insert(row: Row): Promise<void> {
      await db.insertInto('passkey_challenge').values(row).execute();
    },
    /** Deletes and returns the challenge, so that an answer counts once; undefined when unknown or expired. */
    take: (challengeHash: string, now: number): Promise<Row | undefined> =>
      db
        .deleteFrom('passkey_challenge')
        .where('challengeHash', '=', challengeHash)
        .where('expiresAt', '>', now)
        .returningAll()
        .executeTakeFirst(),
    async sweep(now: number): Promise<void> {
      await db.deleteFrom('passkey_challenge').where('expiresAt', '<=', now).execute();
    },
  };
}
export type ChallengeStore = ReturnType<typeof createChallengeStore>;
