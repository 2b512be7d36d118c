import { type Transfer, limits, listTransfers, oneTransfer, transferEvents } from '@sheaf/contract';
import { useEffect, useSyncExternalStore } from 'react';
import { send } from '#/lib/http/send.ts';
import { type EventHandlers, type LiveTransfer, createLiveTransfers } from './live.ts';

function listen({ onTransfer, onOpen, onBreak }: EventHandlers): () => void {
  const events = new EventSource(transferEvents.path);
  events.addEventListener('open', onOpen);
  events.addEventListener('error', () => onBreak(events.readyState === EventSource.CLOSED));
  events.addEventListener('transfer', ({ data }: MessageEvent<string>) => onTransfer(JSON.parse(data) as Transfer));
  return () => events.close();
}

/** The transfers of the signed-in user. */
export const pageTransfers = createLiveTransfers({
  list: async () => (await send(listTransfers, { offset: 0, limit: 4 * limits.pageSize })).transfers,
  one: (transferId) => send(oneTransfer, { transferId }),
  listen,
  now: () => performance.now(),
  later: (work, milliseconds) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
});

/** Follows the transfers while the component is mounted. */
export function useFollowTransfers(): void {
  useEffect(() => {
    const look = (): void => pageTransfers.setVisible(document.visibilityState === 'visible');
    look();
    document.addEventListener('visibilitychange', look);
    const end = pageTransfers.start();
    return () => {
      document.removeEventListener('visibilitychange', look);
      end();
      pageTransfers.clear();
    };
  }, []);
}

/** The latest transfers. */
export const useTransfers = (): readonly LiveTransfer[] => useSyncExternalStore(pageTransfers.subscribe, pageTransfers.list);

/** Number of transfers that the server works on. */
export const useRunningTransfers = (): number =>
  useSyncExternalStore(
    pageTransfers.subscribe,
    () => pageTransfers.list().filter(({ state }) => state === 'running' || state === 'planning').length,
  );

/** Number of transfers that this page has begun; changes only when one begins. */
export const useOwnTransfers = (): number => useSyncExternalStore(pageTransfers.subscribe, pageTransfers.ownTotal);
