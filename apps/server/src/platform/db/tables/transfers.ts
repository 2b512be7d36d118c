import type {
  KeepVersionsRule,
  PlanAction,
  PlanReason,
  Proof,
  TransferConflictRule,
  TransferItemState,
  TransferKind,
  TransferState,
  UndoResult,
  VerifyRule,
} from '@sheaf/contract';

/** Copies and moves between links. Times are epoch milliseconds, but for a file's own, which are epoch seconds. */
export interface TransferTables {
  transfer: {
    /** Ordered by time: the beginning is the time of its creation. */
    id: string;
    accountId: string;
    kind: TransferKind;
    state: TransferState;
    /** JSON: {@link TransferPlace}s. */
    sources: string;
    /** JSON: a {@link TransferPlace}. */
    target: string;
    conflict: TransferConflictRule;
    verify: VerifyRule;
    bytesPerSecond: number | null;
    /** 1: starts by itself when nothing needs a decision. */
    isAutomatic: number;
    problems: number;
    itemsTotal: number;
    itemsDone: number;
    itemsFailed: number;
    bytesTotal: number;
    bytesDone: number;
    bytesSentTwice: number;
    createdAt: number;
    startedAt: number | null;
    endedAt: number | null;
    waitingUntil: number | null;
    /** JSON of the error's answer. */
    error: string | null;
    /** Incremented by each worker that takes the transfer on: what an earlier one writes afterwards counts no more. */
    run: number;
    /** Time of the last change, for those who watch. */
    changedAt: number;
    isUndone: number;
    /** Items that an undo has left, because they have changed since; null until one has ended. */
    undoLeft: number | null;
    /** Only of mirrors. */
    keepVersions: KeepVersionsRule | null;
    /** The schedule that started it; it may be deleted. */
    scheduleId: string | null;
    /** Given by the client, which gets this transfer whenever it asks with the same key. */
    idempotencyKey: string | null;
  };
  /** Measured speeds, averaged with more weight on later transfers. */
  transferSpeed: {
    fromLinkId: string;
    toLinkId: string;
    /** Of transfers of large files; null when there was none. */
    bytesPerSecond: number | null;
    /** Of transfers of small files and folders. */
    itemsPerSecond: number | null;
  };
  transferItem: {
    transferId: string;
    /** Ascending; a folder comes before what it holds. */
    seq: number;
    /** The folder that listed it. */
    parentSeq: number | null;
    /** Index of the source that it belongs to. */
    source: number;
    /** Paths in the links of both ends, as the user sees them. */
    fromPath: string;
    toPath: string;
    isFolder: number;
    /** Bytes; null for folders and when unknown. */
    size: number | null;
    modified: number | null;
    etag: string | null;
    action: PlanAction;
    reason: PlanReason | null;
    /** Modification time of the item that has the name; null without one. */
    takenModified: number | null;
    /** 0 while a folder's content is still to be listed. */
    isListed: number;
    /** 1: a folder that the source moves by itself, with all that it holds. */
    isWhole: number;
    state: TransferItemState;
    attempts: number;
    /** Sealed: what continues the upload at the destination. */
    session: string | null;
    /** JSON: part size and confirmed parts of that upload. */
    parts: string | null;
    proof: Proof | null;
    sourceHash: string | null;
    computedHash: string | null;
    destinationHash: string | null;
    /** JSON: size, time and etag of the file that was made. */
    made: string | null;
    /** Path at the destination of the file that was replaced or deleted and is kept; null without one. */
    version: string | null;
    /** What an undo did with the item; null when it did nothing, or has failed. */
    undo: UndoResult | null;
    /** JSON of the error's answer. */
    error: string | null;
  };
  /** Limit of an account's transfers together. */
  transferBandwidth: {
    accountId: string;
    /** As `parseTimetable` reads it. */
    timetable: string;
    /** IANA name of the time zone of its hours. */
    timezone: string;
  };
}
