import type { Connector } from './connector.ts';
import { deadlines } from './deadlines.ts';

/** Deadlines of an operation. */
export interface OperationDeadlines {
  /**
   * Milliseconds until the answer, the first batch or the first byte, including retries, and except for transfers the wait for a connection. Absent
   * for calls of many requests, whose requests have their own deadlines.
   */
  readonly begin?: number;
  /** ms without a further batch or byte. */
  readonly silence?: number;
  /** Only for a write, instead of `begin`: milliseconds until its first byte is taken, and from its last byte to the answer. */
  readonly upload?: { readonly begin: number; readonly finish: number };
}

/** Facts about an operation, for the layers. */
export interface OperationFacts extends OperationDeadlines {
  /** Shape of the answer: a stream of batches, the bytes of a file, or one value. */
  readonly shape: 'batches' | 'finds' | 'body' | 'entry' | 'usage' | 'changes' | 'nothing';
  /**
   * When a failed call may be repeated: `always` if it changes nothing, `unbegun` if the source said that it has not begun, `never` if the call's
   * bytes are spent.
   */
  readonly repeat: 'always' | 'unbegun' | 'never';
  /** Whether it lasts as long as the client takes for a file's bytes. */
  readonly isTransfer: boolean;
}

const question = { repeat: 'always', isTransfer: false, begin: 20_000 } as const;
const listing = { ...question, silence: 20_000 } as const;
/** Renaming or deleting a folder may take one request per item. */
const ofTrees = { repeat: 'unbegun', isTransfer: false } as const;

/** All operations of a connector, in the order in which capabilities are reported. */
export const operations = {
  list: { ...listing, shape: 'batches' },
  stat: { ...question, shape: 'entry' },
  read: { ...question, shape: 'body', isTransfer: true, silence: deadlines.silence },
  write: {
    shape: 'entry',
    repeat: 'never',
    isTransfer: true,
    // Before the first byte a service may ask to wait; after the last one, parts may still have to be sent and assembled.
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

export type Operation = keyof typeof operations;

/** The operation of each connector method that sends requests. */
export const operationOf = {
  list: 'list',
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
} as const satisfies Readonly<Record<Exclude<keyof Connector, 'close'>, Operation>>;

/** The facts of an operation. */
export const factsOf = (operation: Operation): OperationFacts => operations[operation];

export const operationNames = Object.keys(operations) as readonly Operation[];

/** The connector's capabilities, in the order of {@link operations}. */
export const capabilitiesOf = (connector: Connector): Operation[] =>
  operationNames.filter((operation) => connector[operation] !== undefined);
