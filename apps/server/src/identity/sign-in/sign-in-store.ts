import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type PendingSignIn = Database['sign_in'];

/** Store of sign-ins that wait for the provider's answer. */
export function createSignInStore(db: Db) {
  return {
    async insert(row: PendingSignIn): Promise<void> {
      await db.insertInto('sign_in').values(row).execute();
    },
    /** Deletes and returns it: a provider's answer counts once. */
    take: (bindingHash: string, now: number): Promise<PendingSignIn | undefined> =>
      db.deleteFrom('sign_in').where('bindingHash', '=', bindingHash).where('expiresAt', '>', now).returningAll().executeTakeFirst(),
    async sweep(now: number): Promise<void> {
      await db.deleteFrom('sign_in').where('expiresAt', '<=', now).execute();
    },
  };
}
export type SignInStore = ReturnType<typeof createSignInStore>;
