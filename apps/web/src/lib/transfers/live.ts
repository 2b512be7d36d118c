import type { Transfer } from '@sheaf/contract';
import { type Pace, createPace, hasEnded, isActive } from './measure.ts';

/** Handlers of a stream of events. */
export interface EventHandlers {
  readonly onTransfer: (transfer: Transfer) => void;
  readonly onOpen: () => void;
  /** The stream broke off; `isFinal`: it does not reconnect by itself. */
  readonly onBreak: (isFinal: boolean) => void;
}

interface Deps {
  /** The latest transfers. */
  readonly list: () => Promise<readonly Transfer[]>;
  readonly one: (transferId: string) => Promise<Transfer>;
  /** Opens the stream; the returned function closes it. */
  readonly listen: (handlers: EventHandlers) => () => void;
  readonly now: () => number;
  /** Runs `work` once after that many ms; the returned function cancels it. */
  readonly later: (work: () => void, milliseconds: number) => () => void;
}

/** A transfer with its measured pace. */
export interface LiveTransfer extends Transfer, Pace {}

/** Milliseconds between two polls while the stream of events is down, and while the page is hidden. */
const pollEvery = { down: 3000, hidden: 10_000 } as const;
/** Milliseconds before a stream that was refused is opened again. */
const reopenAfter = 30_000;
/** Milliseconds between two updates of the pace without events. */
const tickEvery = 1000;
/** Most transfers that are kept here; the page of transfers loads older ones. */
const most = 200;

type Change = (after: Transfer, before: Transfer | undefined) => void;

/**
 * The transfers of the account. They are followed by events while one is active or a screen shows them; where events fail, by polling. A hidden page
 * polls, because browsers allow few connections to one server, and each stream holds one.
 */
export function createLiveTransfers({ list, one, listen, now, later }: Deps) {
  const byId = new Map<string, Transfer>();
  const paces = new Map<string, ReturnType<typeof createPace>>();
  const begun = new Set<string>();
  const listeners = new Set<() => void>();
  const changes = new Set<Change>();
  let shown: readonly LiveTransfer[] = [];
  let viewers = 0;
  let isVisible = true;
  let isStarted = false;
  let close: (() => void) | undefined;
  let isDown = false;
  let endPoll: (() => void) | undefined;
  let endTick: (() => void) | undefined;
  let endReopen: (() => void) | undefined;
  let loading: Promise<void> | undefined;

  const hasActive = (): boolean => [...byId.values()].some(isActive);
  const show = (): void => {
    shown = [...byId.values()]
      .toSorted((a, b) => b.createdAt - a.createdAt)
      .map((transfer) => ({ ...transfer, rate: undefined, secondsLeft: undefined, ...paces.get(transfer.transferId)?.of(transfer) }));
    for (const listener of listeners) listener();
  };

  const take = (transfer: Transfer): void => {
    const { transferId } = transfer;
    const before = byId.get(transferId);
    byId.set(transferId, transfer);
    if (transfer.state === 'running') {
      const pace = paces.get(transferId) ?? createPace();
      paces.set(transferId, pace);
      pace.note(transfer, now());
    } else paces.delete(transferId);
    for (const change of changes) change(transfer, before);
  };
  const note = (transfer: Transfer): void => {
    take(transfer);
    show();
    follow();
  };

  const load = (): Promise<void> => {
    loading ??= list()
      .then(
        (transfers) => {
          for (const transfer of transfers.toReversed()) take(transfer);
          for (const old of [...byId.values()].toSorted((a, b) => b.createdAt - a.createdAt).slice(most)) byId.delete(old.transferId);
          show();
        },
        // The next poll or a change may succeed; a screen that needs the list asks by itself and tells the failure.
        () => undefined,
      )
      .finally(() => {
        loading = undefined;
        follow();
      });
    return loading;
  };

  const openStream = (): void => {
    endReopen?.();
    endReopen = undefined;
    close = listen({
      onTransfer: note,
      onOpen: () => {
        isDown = false;
        follow();
        // What changed before the stream was open is not repeated.
        void load();
      },
      onBreak: (isFinal) => {
        isDown = true;
        if (isFinal) {
          close?.();
          close = undefined;
          endReopen ??= later(() => {
            endReopen = undefined;
            follow();
          }, reopenAfter);
        }
        follow();
      },
    });
  };

  /** Opens or closes the stream, the polling and the clock, by what is to be followed now. */
  const follow = (): void => {
    if (!isStarted) return;
    const isFollowed = hasActive() || viewers > 0;
    const wantsStream = isFollowed && isVisible;
    if (wantsStream && !close && !endReopen) openStream();
    if (!wantsStream) {
      close?.();
      close = undefined;
      endReopen?.();
      endReopen = undefined;
    }
    // A hidden page has nobody to show to; it only has to notice the end of what runs.
    const every = isVisible ? (isFollowed && isDown ? pollEvery.down : undefined) : hasActive() ? pollEvery.hidden : undefined;
    if (every === undefined) {
      endPoll?.();
      endPoll = undefined;
    } else {
      endPoll ??= later(() => {
        endPoll = undefined;
        void load();
      }, every);
    }
    if (paces.size === 0) {
      endTick?.();
      endTick = undefined;
    } else {
      endTick ??= later(() => {
        endTick = undefined;
        for (const [transferId, pace] of paces) pace.note(byId.get(transferId) ?? nothing, now());
        show();
        follow();
      }, tickEvery);
    }
  };

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** The transfers, latest first. */
    list: (): readonly LiveTransfer[] => shown,
    /** Calls `change` with every transfer that is loaded or has changed. */
    onChange(change: Change): () => void {
      changes.add(change);
      return () => changes.delete(change);
    },
    /** Calls `end` once with every transfer that ends from now on; also with one that was begun here and had ended before it could be asked about. */
    onEnd(end: (transfer: Transfer) => void): () => void {
      const change: Change = (after, before) => {
        const wasOpen = before ? !hasEnded(before) : begun.has(after.transferId);
        if (hasEnded(after) && wasOpen) end(after);
      };
      changes.add(change);
      return () => changes.delete(change);
    },
    /** Loads the latest transfers and follows them until the returned function is called. */
    start(): () => void {
      isStarted = true;
      void load();
      return () => {
        isStarted = false;
        for (const end of [close, endPoll, endTick, endReopen]) end?.();
        close = endPoll = endTick = endReopen = undefined;
      };
    },
    /** Follows even without an active transfer, while a screen shows them. */
    view(): () => void {
      viewers += 1;
      follow();
      void load();
      return () => {
        viewers -= 1;
        follow();
      };
    },
    /** Whether the page is visible; a page that becomes visible loads what has changed. */
    setVisible(visible: boolean): void {
      if (visible === isVisible) return;
      isVisible = visible;
      if (visible) void load();
      follow();
    },
    load,
    /** Takes a transfer as a call has answered it. */
    note,
    /** Follows a transfer that this page has begun. */
    async track(transferId: string): Promise<void> {
      begun.add(transferId);
      note(await one(transferId));
    },
    /** Number of transfers that this page has begun. */
    ownTotal: (): number => begun.size,
    /** Whether this page has begun it. */
    isOwn: (transferId: string): boolean => begun.has(transferId),
    /** Forgets everything, as at sign-out. */
    clear(): void {
      byId.clear();
      paces.clear();
      begun.clear();
      show();
      follow();
    },
  };
}

const nothing = { bytesDone: 0, bytesTotal: 0, itemsDone: 0, itemsTotal: 0, itemsFailed: 0 };
