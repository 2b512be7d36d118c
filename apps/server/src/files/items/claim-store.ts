import type { Db } from '#/platform/db/schema/engine.ts';
import type { SharedClaims } from './name-claims.ts';

/** Store of name claims. */
export function createClaimStore(db: Db): SharedClaims & { sweep(now: number): Promise<void> } {
  return {
    async take(hash, id, now, seconds) {
      const row = { hash, id, endsAt: now + seconds };
      const taken = await db
        .insertInto('name_claim')
        .values(row)
        .onConflict((conflict) => conflict.column('hash').doUpdateSet(row).where('name_claim.endsAt', '<=', now))
        .returning('hash')
        .executeTakeFirst();
      return taken !== undefined;
    },
    async release(hash, id) {
      await db.deleteFrom('name_claim').where('hash', '=', hash).where('id', '=', id).execute();
    },
    async sweep(now) {
      await db.deleteFrom('name_claim').where('endsAt', '<=', now).execute();
    },
  };
}
