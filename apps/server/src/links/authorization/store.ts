import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import type { Caller } from '#/platform/http/session.ts';

export type Attempt = Database['link_authorization'];
export type ParkedRow = Database['parked_grant'];
type Owner = Pick<Caller, 'userId' | 'sessionId'>;

/** Store of authorizations under way and pending grants. Only the session that created one takes it, and only once. */
export function createAuthorizationStore(db: Db) {
  return {
    async begin(row: Attempt): Promise<void> {
      await db.insertInto('link_authorization').values(row).execute();
    },
    take: (stateHash: string, { userId, sessionId }: Owner, now: number): Promise<Attempt | undefined> =>
      db
        .deleteFrom('link_authorization')
        .where('stateHash', '=', stateHash)
        .where('accountId', '=', userId)
        .where('sessionId', '=', sessionId)
        .where('expiresAt', '>', now)
        .returningAll()
        .executeTakeFirst(),
    async park(row: ParkedRow): Promise<void> {
      await db.insertInto('parked_grant').values(row).execute();
    },
    takeParked: (stateIdHash: string, { userId, sessionId }: Owner, now: number): Promise<ParkedRow | undefined> =>
      db
        .deleteFrom('parked_grant')
        .where('stateIdHash', '=', stateIdHash)
        .where('accountId', '=', userId)
        .where('sessionId', '=', sessionId)
        .where('expiresAt', '>', now)
        .returningAll()
        .executeTakeFirst(),
    async sweep(now: number): Promise<void> {
      await db.deleteFrom('link_authorization').where('expiresAt', '<=', now).execute();
      await db.deleteFrom('parked_grant').where('expiresAt', '<=', now).execute();
    },
  };
}
export type AuthorizationStore = ReturnType<typeof createAuthorizationStore>;
