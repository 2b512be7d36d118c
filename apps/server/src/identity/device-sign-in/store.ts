import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type DeviceRow = Database['device_request'];

/** Store of programs that wait until a person confirms their code. */
export function createDeviceStore(db: Db) {
  /** Decides a pending request that this account may decide; false when there is none. */
  async function decide(userHash: string, accountId: string, now: number, change: Partial<DeviceRow>): Promise<boolean> {
    const decided = await db
      .updateTable('device_request')
      .set(change)
      .where('userHash', '=', userHash)
      .where('state', '=', 'pending')
      .where('expiresAt', '>', now)
      .where((by) => by.or([by('accountId', 'is', null), by('accountId', '=', accountId)]))
      .returning('deviceHash')
      .executeTakeFirst();
    return decided !== undefined;
  }
  return {
    /** Returns false when another program shows the same code. */
    async insert(row: DeviceRow): Promise<boolean> {
      const query = db.insertInto('device_request').values(row);
      const made = await query
        .onConflict((conflict) => conflict.column('userHash').doNothing())
        .returning('deviceHash')
        .executeTakeFirst();
      return made !== undefined;
    },
    /** A pending request that this account may decide. */
    findPending: (userHash: string, accountId: string, now: number): Promise<DeviceRow | undefined> =>
      db
        .selectFrom('device_request')
        .selectAll()
        .where('userHash', '=', userHash)
        .where('state', '=', 'pending')
        .where('expiresAt', '>', now)
        .where((by) => by.or([by('accountId', 'is', null), by('accountId', '=', accountId)]))
        .executeTakeFirst(),
    confirm: (userHash: string, accountId: string, now: number) => decide(userHash, accountId, now, { state: 'confirmed', accountId }),
    refuse: (userHash: string, accountId: string, now: number) => decide(userHash, accountId, now, { state: 'refused' }),

    find: (deviceHash: string): Promise<DeviceRow | undefined> =>
      db.selectFrom('device_request').selectAll().where('deviceHash', '=', deviceHash).executeTakeFirst(),
    async notePoll(deviceHash: string, polledAt: number, pollInterval: number): Promise<void> {
      await db.updateTable('device_request').set({ polledAt, pollInterval }).where('deviceHash', '=', deviceHash).execute();
    },
    /** Removes and returns a confirmed request; undefined when a concurrent poll was first. */
    take: (deviceHash: string, now: number): Promise<DeviceRow | undefined> =>
      db
        .deleteFrom('device_request')
        .where('deviceHash', '=', deviceHash)
        .where('state', '=', 'confirmed')
        .where('expiresAt', '>', now)
        .returningAll()
        .executeTakeFirst(),
    async removeAll(accountId: string): Promise<void> {
      await db.deleteFrom('device_request').where('accountId', '=', accountId).execute();
    },
    async removeExpired(before: number): Promise<void> {
      await db.deleteFrom('device_request').where('expiresAt', '<=', before).execute();
    },
  };
}
export type DeviceStore = ReturnType<typeof createDeviceStore>;
