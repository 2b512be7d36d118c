import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type PendingSignIn = Database['sign_in'];

/** Sign-ins with a provider that have begun and not come back yet. */
export function createSignInStore(db: Db) {
  return {
    async insert(row: PendingSignIn): Promise<void> {
      await db.insertInto('sign_in').values(row).execute();
    },
    /** Takes it out: an answer of the provider counts once. */
    take: (bindingHash: string, now: number): Promise<PendingSignIn | undefined> =>
      db.deleteFrom('sign_in').where('bindingHash', '=', bindingHash).where('expiresAt', '>', now).returningAll().executeTakeFirst(),
    async sweep(now: number): Promise<void> {
      await db.deleteFrom('sign_in').where('expiresAt', '<=', now).execute();
    },
  };
}
export type SignInStore = ReturnType<typeof createSignInStore>;
