import { type InputOf, type ReplyOf, appError, parseTimetable, type setTransferBandwidth } from '@sheaf/contract';
import type { BandwidthStore } from './rows/bandwidth-store.ts';
import { checkTimezone } from './timezone.ts';

type Bandwidth = ReplyOf<typeof setTransferBandwidth>;

export type BandwidthService = ReturnType<typeof createBandwidthService>;

/** Limits of a user's transfers by the hours of the week. */
export function createBandwidthService(store: BandwidthStore) {
  return {
    async get(userId: string): Promise<Bandwidth> {
      const { timetable = '', timezone = 'UTC' } = (await store.find(userId)) ?? {};
      return { timetable, timezone };
    },
    async set(userId: string, { timetable, timezone }: InputOf<typeof setTransferBandwidth>): Promise<Bandwidth> {
      if (!parseTimetable(timetable)) throw appError('INVALID_PARAMETER', { field: 'timetable' });
      checkTimezone(timezone);
      const wanted = { timetable: timetable.trim(), timezone };
      await store.set({ accountId: userId, ...wanted });
      return wanted;
    },
  };
}
