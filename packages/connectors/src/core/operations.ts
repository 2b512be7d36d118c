import type { Bin } from './bin.ts';
import type { Connector } from './connector.ts';
import { deadlines } from './deadlines.ts';
import type { Hints } from './hints/hints.ts';
import type { Versions } from './replacing.ts';
import type { ServiceCopies } from './service-copy.ts';
import type { NumberedUploads, ResumableUploads } from './upload.ts';

/** Deadlines of an operation. */
export interface OperationDeadlines {
  /**
   * Milliseconds until the answer, the first batch or the first byte. Includes retries and, except for transfers, the wait for a
   * connection. Absent for calls of many requests, whose requests have their own deadlines.
   */
  readonly begin?: number;
  /** ms without a further batch or byte. */
  readonly silence?: number;
  /** Only for a write, instead of `begin`: milliseconds until its first byte is taken, and from its last byte to the answer. */
  readonly upload?: { readonly begin: number; readonly finish: number };
}

/** Facts about an operation, used by the layers. */
export interface OperationFacts extends OperationDeadlines {
  /** Shape of the answer: a stream of batches, the bytes of a file, or one value. */
  readonly shape:
    | 'batches'
    | 'finds'
    | 'body'
    | 'entry'
    | 'usage'
    | 'changes'
    | 'upload'
    | 'numbered'
    | 'receipt'
    | 'state'
    | 'finished'
    | 'located'
    | 'bin'
    | 'version'
    | 'versions'
    | 'fact'
    | 'hashes'
    | 'subscription'
    | 'nothing';
  /**
   * When a failed call may be repeated: `always` if it changes nothing, `unbegun` if the source reported that the call has not begun,
   * `never` if the call's bytes are consumed.
   */
  readonly repeat: 'always' | 'unbegun' | 'never';
  /** Whether the call lasts as long as the client takes to send or receive a file. */
  readonly isTransfer: boolean;
}

const question = { repeat: 'always', isTransfer: false, begin: 20_000 } as const;
const listing = { ...question, silence: 20_000 } as const;
/** Renaming or deleting a folder may take one request per item. */
const ofTrees = { repeat: 'unbegun', isTransfer: false } as const;

/** What a connector can do, in the order in which capabilities are reported. */
const capabilities = {
  list: { ...listing, shape: 'batches' },
  stat: { ...question, shape: 'entry' },
  read: { ...question, shape: 'body', isTransfer: true, silence: deadlines.silence },
  write: {
    shape: 'entry',
    repeat: 'never',
    isTransfer: true,
    // Before the first byte a service may ask the client to wait; after the last one, parts may still have to be sent and assembled.
    upload: { begin: 60_000, finish: deadlines.longWork },
  },
  createFolder: { shape: 'entry', repeat: 'unbegun', isTransfer: false, begin: 20_000 },
  rename: { ...ofTrees, shape: 'entry' },
  move: { ...ofTrees, shape: 'entry' },
  copy: { ...ofTrees, shape: 'entry' },
  remove: { ...ofTrees, shape: 'nothing' },
  thumbnail: { ...question, shape: 'body', silence: deadlines.silence },
  search: { ...listing, shape: 'finds' },
  usage: { ...question, shape: 'usage' },
  changes: { ...question, shape: 'changes' },
} as const satisfies Readonly<Record<string, OperationFacts>>;

/** The steps of a resumable upload: no capabilities of their own, but parts of transfers. */
const uploadSteps = {
  beginUpload: { shape: 'upload', repeat: 'unbegun', isTransfer: false, begin: 60_000 },
  sendPart: {
    shape: 'receipt',
    repeat: 'never',
    isTransfer: true,
    upload: { begin: 60_000, finish: deadlines.longWork },
  },
  uploadState: { ...question, shape: 'state' },
  finishUpload: { shape: 'finished', repeat: 'never', isTransfer: false },
  abandonUpload: { shape: 'nothing', repeat: 'always', isTransfer: false, begin: 60_000 },
} as const satisfies Readonly<Record<keyof ResumableUploads, OperationFacts>>;

/** The steps of an upload in numbered parts. */
const numberedSteps = {
  beginNumbered: { shape: 'numbered', repeat: 'unbegun', isTransfer: false, begin: 60_000 },
  sendNumbered: uploadSteps.sendPart,
  finishNumbered: uploadSteps.finishUpload,
  abandonNumbered: uploadSteps.abandonUpload,
} as const satisfies Readonly<Record<keyof NumberedUploads, OperationFacts>>;

/** Copying between links at their service. */
const serviceSteps = {
  serviceFile: { ...question, shape: 'located' },
  copyFrom: { ...ofTrees, shape: 'entry' },
} as const satisfies Readonly<Record<Exclude<keyof ServiceCopies, 'service' | 'account'>, OperationFacts>>;

/** Deleting into a bin, and reading the bin. */
const binSteps = {
  discard: { ...ofTrees, shape: 'receipt' },
  binned: { ...question, shape: 'entry' },
  restore: { ...ofTrees, shape: 'entry' },
  purge: { ...ofTrees, shape: 'nothing' },
  listBin: { ...question, shape: 'bin' },
  keeps: { ...question, shape: 'fact' },
} as const satisfies Readonly<Record<Exclude<keyof Bin, 'bin'>, OperationFacts>>;

/** Versions of replaced files. */
const versionSteps = {
  versionOf: { ...question, shape: 'version' },
  restoreVersion: { ...ofTrees, shape: 'entry' },
  listVersions: { ...question, shape: 'versions' },
  readVersion: { ...question, shape: 'body', isTransfer: true, silence: deadlines.silence },
} as const satisfies Readonly<Record<keyof Versions, OperationFacts>>;

/** Hashing a file at the source: used to verify copies, no capability of its own. */
const proofSteps = {
  digest: { shape: 'hashes', repeat: 'always', isTransfer: false, begin: deadlines.longWork },
} as const satisfies Readonly<Record<string, OperationFacts>>;

/** Listing a whole tree at once: a way to list, no capability of its own. */
const treeSteps = { listTree: { ...listing, shape: 'finds' } } as const satisfies Readonly<Record<string, OperationFacts>>;

/** Subscriptions to hints. */
const hintSteps = {
  subscribe: { shape: 'subscription', repeat: 'unbegun', isTransfer: false, begin: 20_000 },
  unsubscribe: { ...question, shape: 'nothing' },
} as const satisfies Readonly<Record<keyof Hints, OperationFacts>>;

/** All operations of a connector. */
export const operations = {
  ...capabilities,
  ...treeSteps,
  ...proofSteps,
  ...uploadSteps,
  ...numberedSteps,
  ...serviceSteps,
  ...binSteps,
  ...versionSteps,
  ...hintSteps,
};

export type Capability = keyof typeof capabilities;
export type Operation = keyof typeof operations;

/** The operation of each connector method that sends requests. */
export const operationOf = {
  list: 'list',
  listTree: 'listTree',
  stat: 'stat',
  lstat: 'stat',
  read: 'read',
  readMany: 'read',
  write: 'write',
  createFolder: 'createFolder',
  rename: 'rename',
  move: 'move',
  copy: 'copy',
  remove: 'remove',
  clearUp: 'remove',
  thumbnail: 'thumbnail',
  search: 'search',
  usage: 'usage',
  changes: 'changes',
  beginUpload: 'beginUpload',
  sendPart: 'sendPart',
  uploadState: 'uploadState',
  finishUpload: 'finishUpload',
  abandonUpload: 'abandonUpload',
  beginNumbered: 'beginNumbered',
  sendNumbered: 'sendNumbered',
  finishNumbered: 'finishNumbered',
  abandonNumbered: 'abandonNumbered',
  serviceFile: 'serviceFile',
  copyFrom: 'copyFrom',
  discard: 'discard',
  binned: 'binned',
  restore: 'restore',
  purge: 'purge',
  listBin: 'listBin',
  keeps: 'keeps',
  versionOf: 'versionOf',
  restoreVersion: 'restoreVersion',
  listVersions: 'listVersions',
  readVersion: 'readVersion',
  digest: 'digest',
  subscribe: 'subscribe',
  unsubscribe: 'unsubscribe',
} as const satisfies Readonly<
  Record<Exclude<keyof Connector, 'close' | 'hashes' | 'limits' | 'rewrites' | 'service' | 'account' | 'bin' | 'setsAside'>, Operation>
>;

/** The facts of an operation. */
export const factsOf = (operation: Operation): OperationFacts => operations[operation];

export const operationNames = Object.keys(capabilities) as readonly Capability[];

/** The connector's capabilities, in the order of {@link operations}. */
export const capabilitiesOf = (connector: Connector): Capability[] =>
  operationNames.filter((operation) => connector[operation] !== undefined);

/** The connector's resumable uploads, or undefined where it has none. */
export function resumableUploadsOf(connector: Connector): ResumableUploads | undefined {
  const { beginUpload, sendPart, uploadState, finishUpload, abandonUpload } = connector;
  if (!beginUpload || !sendPart || !uploadState || !finishUpload || !abandonUpload) return undefined;
  return { beginUpload, sendPart, uploadState, finishUpload, abandonUpload };
}

/** The connector's uploads in numbered parts, or undefined where it has none. */
export function numberedUploadsOf(connector: Connector): NumberedUploads | undefined {
  const { beginNumbered, sendNumbered, finishNumbered, abandonNumbered } = connector;
  if (!beginNumbered || !sendNumbered || !finishNumbered || !abandonNumbered) return undefined;
  return { beginNumbered, sendNumbered, finishNumbered, abandonNumbered };
}

/** The connector's copying between links at its service, or undefined where it has none. */
export function serviceCopiesOf(connector: Connector): ServiceCopies | undefined {
  const { service, account, serviceFile, copyFrom } = connector;
  if (service === undefined || !serviceFile || !copyFrom) return undefined;
  return { service, ...(account !== undefined && { account }), serviceFile, copyFrom };
}

/** The connector's bin, or undefined where it has none. */
export function binOf(connector: Connector): Bin | undefined {
  const { bin, keeps, discard, binned, restore, purge, listBin } = connector;
  if (bin === undefined || !discard || !binned || !restore) return undefined;
  return { bin, ...(keeps && { keeps }), discard, binned, restore, ...(purge && { purge }), ...(listBin && { listBin }) };
}

/** The connector's versions of replaced files, or undefined where it has none. */
export function versionsOf({ versionOf, restoreVersion, listVersions, readVersion }: Connector): Versions | undefined {
  if (!versionOf || !restoreVersion) return undefined;
  return { versionOf, restoreVersion, ...(listVersions && { listVersions }), ...(readVersion && { readVersion }) };
}

/** The connector's subscriptions to hints, or undefined where it has none. */
export const hintsOf = ({ subscribe, unsubscribe }: Connector): Hints | undefined =>
  subscribe && unsubscribe ? { subscribe, unsubscribe } : undefined;
