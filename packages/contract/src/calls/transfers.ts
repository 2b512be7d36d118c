import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../catalogue/limits.ts';
import { ErrorAnswer } from '../error-answer.ts';
import {
  itemStates,
  keepVersionsRules,
  type PlanAction,
  planActions,
  planReasons,
  type Proof,
  proofs,
  transferConflictRules,
  transferKinds,
  transferStates,
  undoResults,
  verifyRules,
} from './transfer-words.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);

/** A field that is one of these words. */
export const oneOf = <T extends string>(words: readonly T[], options: { readonly default?: T } = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: [...words], ...options });

/** Source or destination of a transfer. */
export const TransferPlace = Type.Object({
  linkUri: text,
  /** Link name and path, as shown. */
  path: text,
  isFolder: Type.Boolean(),
  /** For a source: its new name at the destination, if it gets one. */
  newName: optional(text),
});
export type TransferPlace = Static<typeof TransferPlace>;

export const Transfer = Type.Object({
  transferId: text,
  kind: oneOf(transferKinds),
  state: oneOf(transferStates),
  /** Epoch milliseconds until which a waiting transfer waits. */
  waitingUntil: optional(Type.Integer()),
  bytesDone: Type.Integer(),
  bytesTotal: Type.Integer(),
  /** Bytes sent again after an interruption. */
  bytesSentTwice: Type.Integer(),
  itemsDone: Type.Integer(),
  itemsTotal: Type.Integer(),
  itemsFailed: Type.Integer(),
  /** Items whose action is `problem`. */
  problems: Type.Integer(),
  from: Type.Array(TransferPlace),
  to: TransferPlace,
  conflict: oneOf(transferConflictRules),
  verify: oneOf(verifyRules),
  /** Most bytes a second; absent without a limit. */
  bytesPerSecond: optional(Type.Integer()),
  /** Only of mirrors. */
  keepVersions: optional(oneOf(keepVersionsRules)),
  /** The schedule that started it. */
  scheduleId: optional(text),
  /** Epoch milliseconds. */
  createdAt: Type.Integer(),
  startedAt: optional(Type.Integer()),
  endedAt: optional(Type.Integer()),
  /** Whether `undo` can remove or move back what it created, and restore what it replaced. */
  canUndo: Type.Boolean(),
  /** Epoch milliseconds; only while `canUndo`. */
  undoUntil: optional(Type.Integer()),
  /** Present after an undo: how many items stayed because they have changed since. */
  undoLeft: optional(Type.Integer()),
  /** Why it failed or waits. */
  error: optional(ErrorAnswer),
});
export type Transfer = Static<typeof Transfer>;

/** Items, destination, and rule for taken names. */
export const transferRoute = {
  linkUri: Type.Array(text, { minItems: 1, maxItems: limits.transferSources }),
  parentLinkUri: text,
  conflict: oneOf(transferConflictRules, { default: 'fail' }),
  /** Name at the destination; only for a single item. */
  newName: optional(text),
};
const TransferRef = Type.Object({ transferId: text });

/** Options of a transfer. */
export const runOptions = {
  verify: optional(oneOf(verifyRules)),
  bytesPerSecond: optional(Type.Integer({ minimum: 1024 })),
};
export const transferOptions = {
  ...runOptions,
  /** Only for mirrors; `folder` by default. */
  keepVersions: optional(oneOf(keepVersionsRules)),
};

const begin = (path: string, summary: string) =>
  call({
    method: 'POST',
    path,
    input: Type.Object({
      ...transferRoute,
      ...runOptions,
      /** A repeated request with the same key, for example after a lost answer, returns the transfer that the first request began. */
      idempotencyKey: optional(Type.String({ minLength: 16, maxLength: 100 })),
      rTag,
    }),
    reply: TransferRef,
    summary,
  });
/** Starts immediately unless the plan has problems; then it waits for decisions. */
export const copyObjects = begin('/rest/content/copy_objects', 'Copies items into a folder of any link.');
export const moveObjects = begin('/rest/content/move_objects', 'Moves items into a folder of any link.');

/** An `http` or `https` address; it may contain a secret, such as a signature. */
const Address = Type.String({ minLength: 1, maxLength: 8192 });

export const lookAtAddress = call({
  method: 'POST',
  path: '/rest/transfers/look_at_address',
  input: Type.Object({ address: Address, rTag }),
  reply: Type.Object({
    name: text,
    host: text,
    size: optional(Type.Integer()),
    mimeType: optional(text),
    /** Epoch seconds. */
    modified: optional(Type.Integer()),
  }),
  summary: 'What lies at an address of the web.',
});
export const copyFromAddress = call({
  method: 'POST',
  path: '/rest/transfers/copy_from_address',
  input: Type.Object({
    address: Address,
    parentLinkUri: text,
    conflict: oneOf(transferConflictRules, { default: 'fail' }),
    /** Name at the destination; by default the one that the web server suggests. */
    newName: optional(text),
    /** Expected MD5, SHA-1 or SHA-256 in hexadecimal; a file with another hash is refused. */
    checksum: optional(Type.String({ maxLength: 64 })),
    rTag,
  }),
  reply: TransferRef,
  summary: 'Copies a file from an address of the web into a folder; a transfer like any other.',
});

export const planTransfer = call({
  method: 'POST',
  path: '/rest/transfers/plan',
  input: Type.Object({
    kind: oneOf(transferKinds),
    ...transferRoute,
    ...transferOptions,
    rTag,
  }),
  reply: TransferRef,
  summary: 'Plans a transfer without starting it.',
});

export const PlanItem = Type.Object({
  itemId: text,
  /** Paths below the ends, with the name of the item itself. */
  from: text,
  to: text,
  fileType: Type.Union([Type.Literal('FOLDER'), Type.Literal('FILE')]),
  size: optional(Type.Integer()),
  action: oneOf(planActions),
  reason: optional(oneOf(planReasons)),
  state: oneOf(itemStates),
  proof: optional(oneOf(proofs)),
  undo: optional(oneOf(undoResults)),
  error: optional(ErrorAnswer),
});
export type PlanItem = Static<typeof PlanItem>;

export const transferPlan = call({
  method: 'GET',
  path: '/rest/transfers/plan',
  input: Type.Object({
    transferId: text,
    offset: Type.Integer({ minimum: 0, default: 0 }),
    limit: Type.Integer({ minimum: 1, maximum: limits.maxPageSize, default: 100 }),
    only: optional(oneOf(planActions)),
    /** Only items in this state, such as failed ones. */
    state: optional(oneOf(itemStates)),
  }),
  reply: Type.Object({
    state: oneOf(transferStates),
    /** Items of each action. */
    counts: Type.Object({
      create: Type.Integer(),
      merge: Type.Integer(),
      replace: Type.Integer(),
      rename: Type.Integer(),
      skip: Type.Integer(),
      delete: Type.Integer(),
      problem: Type.Integer(),
    } satisfies Record<PlanAction, unknown>),
    /** Number of finished files by verification method. */
    proofs: Type.Object({
      hash: Type.Integer(),
      read_back: Type.Integer(),
      size: Type.Integer(),
      server_side: Type.Integer(),
      provider_rewrote: Type.Integer(),
      none: Type.Integer(),
    } satisfies Record<Proof, unknown>),
    /** rclone commands that compare both ends; remotes are named as in the exported rclone.conf. Absent if the source no longer exists. */
    rcloneChecks: optional(Type.Array(text)),
    /** Bytes to be moved. */
    bytes: Type.Integer(),
    /** Estimated duration; absent if the speed of these links is unknown. */
    estimateSeconds: optional(Type.Integer()),
    /** Bytes available at the destination; absent if it does not report them. */
    freeBytes: optional(Type.Integer()),
    /** Number of days that it takes because the destination limits the bytes a day; absent if one is enough. */
    days: optional(Type.Integer()),
    /** Number of files of unknown size, such as documents that are converted when read; not included in `bytes`. */
    unknownSizes: Type.Integer(),
    items: Type.Array(PlanItem),
    /** Number of matching items. */
    total: Type.Integer(),
    hasMore: Type.Boolean(),
  }),
  summary: 'What a transfer will do, or has done, item by item.',
});

export const changeTransferPlan = call({
  method: 'POST',
  path: '/rest/transfers/change',
  input: Type.Object({
    transferId: text,
    conflict: oneOf(transferConflictRules),
    /** The items to decide on; empty: all whose name is taken. */
    itemId: optional(Type.Array(text, { maxItems: 1000 })),
    /** All items with this reason, such as those with forbidden characters: `skip` excludes them, any other rule includes them again. */
    reason: optional(oneOf(planReasons)),
    rTag,
  }),
  reply: Transfer,
  summary: 'Decides taken names of a plan: of some items, or all.',
});

const act = (name: string, summary: string) =>
  call({ method: 'POST', path: `/rest/transfers/${name}`, input: Type.Object({ transferId: text, rTag }), reply: Transfer, summary });
export const startTransfer = act('start', 'Starts a planned transfer; items with problems are left out.');
export const pauseTransfer = act('pause', 'Pauses a transfer; parts that are under way end.');
export const resumeTransfer = act('resume', 'Continues a paused or waiting transfer.');
export const limitTransfer = call({
  method: 'POST',
  path: '/rest/transfers/limit',
  input: Type.Object({
    transferId: text,
    /** Most bytes a second; absent without a limit. */
    bytesPerSecond: runOptions.bytesPerSecond,
    rTag,
  }),
  reply: Transfer,
  summary: 'Limits the speed of a transfer that has not ended; a running one follows within a second.',
});
export const cancelTransfer = act('cancel', 'Cancels a transfer; what is complete stays.');
export const retryTransfer = call({
  method: 'POST',
  path: '/rest/transfers/retry',
  input: Type.Object({
    transferId: text,
    /** The items to retry; empty: all that failed. */
    itemId: optional(Type.Array(text, { minItems: 1, maxItems: 1000 })),
    rTag,
  }),
  reply: Transfer,
  summary: 'Tries failed items again.',
});
export const undoTransfer = act(
  'undo',
  'Removes the files that a copy or mirror made, or moves back what a move has moved, and brings back what was replaced or deleted, unless they have changed since.',
);

export const listTransfers = call({
  method: 'GET',
  path: '/rest/transfers',
  input: Type.Object({
    offset: Type.Integer({ minimum: 0, default: 0 }),
    limit: Type.Integer({ minimum: 1, maximum: limits.maxPageSize, default: limits.pageSize }),
  }),
  reply: Type.Object({ transfers: Type.Array(Transfer), total: Type.Integer(), hasMore: Type.Boolean() }),
  summary: 'The transfers of the account, the latest first.',
});
export const oneTransfer = call({
  method: 'GET',
  path: '/rest/transfers/one',
  input: Type.Object({ transferId: text }),
  reply: Transfer,
  summary: 'One transfer.',
});
/** Server-sent events (WHATWG HTML, section 9.2): `transfer` with a {@link Transfer}, at most two a second for each transfer that changes. */
export const transferEvents = call({
  method: 'GET',
  path: '/rest/transfers/events',
  input: Type.Object({}),
  reply: Type.Unknown(),
  summary: 'Progress of the transfers of the account, as server-sent events.',
});
/** Has one line for each file. */
export const transferReport = call({
  method: 'GET',
  path: '/rest/transfers/report',
  input: Type.Object({ transferId: text, format: Type.Union([Type.Literal('json'), Type.Literal('csv')], { default: 'json' }) }),
  reply: Type.Unknown(),
  summary: 'What happened to each file of a transfer, and how it was proven, as JSON lines or CSV.',
});

const Bandwidth = Type.Object({
  /** Limits by hours of the week, such as `Mon-Fri 08:00-18:00 512k, 10M`: see `parseTimetable`. Empty: no limit. */
  timetable: Type.String({ maxLength: 1000 }),
  /** IANA name of its time zone. */
  timezone: Type.String({ maxLength: 100 }),
});
export const transferBandwidth = call({
  method: 'GET',
  path: '/rest/transfers/bandwidth',
  input: Type.Object({}),
  reply: Bandwidth,
  summary: 'How many bytes a second the transfers of the account may use together, by hours of the week.',
});
export const setTransferBandwidth = call({
  method: 'POST',
  path: '/rest/transfers/set_bandwidth',
  input: Type.Object({ ...Bandwidth.properties, rTag }),
  reply: Bandwidth,
  summary: 'Limits the transfers of the account together; holds for running ones within a second.',
});

/** Only for a transfer that has ended, because its report is then final. */
export const transferSignature = call({
  method: 'GET',
  path: '/rest/transfers/signature',
  input: Type.Object({ transferId: text, format: Type.Union([Type.Literal('json'), Type.Literal('csv')], { default: 'json' }) }),
  reply: Type.Object({
    fileName: text,
    /** Hexadecimal SHA-256 of the report's bytes. */
    sha256: text,
    /** The signed text: the line that `sha256sum` prints for the report, with its line feed. */
    signed: text,
    /** Ed25519 signature (RFC 8032), in base64. */
    signature: text,
    /** The installation's public key, as PEM. */
    publicKey: text,
  }),
  summary: 'The signature of a transfer’s report.',
});

/** Needs no session: a person who verifies a report may have no account here. */
export const reportKey = call({
  method: 'GET',
  path: '/rest/transfers/report_key',
  input: Type.Object({}),
  reply: Type.Object({
    /** Ed25519, as PEM (RFC 8410). */
    publicKey: text,
  }),
  session: 'none',
  summary: 'The public key with which reports of transfers are checked.',
});
