import type { Connector } from './connector.ts';
import { deadlines } from './deadlines.ts';

/** How long the calls of an operation may take. */
export interface OperationDeadlines {
  /**
   * ms until the answer, the first batch or the beginning of the bytes, further tries included; of calls that are no transfer also the wait for a connection. Absent for
   * calls of many requests, which may take long: each request has its own deadline.
   */
  readonly begin?: number;
  /** ms without a further batch or byte. */
  readonly silence?: number;
  /** Only of a write, in place of `begin`: ms until its first byte is taken, and from its last byte to the answer. */
  readonly upload?: { readonly begin: number; readonly finish: number };
}

/** What layers know of an operation. */
export interface OperationFacts extends OperationDeadlines {
  /** What a call gives: a stream of batches, the bytes of a file, or one answer. */
  readonly shape: 'batches' | 'finds' | 'body' | 'entry' | 'usage' | 'changes' | 'nothing';
  /**
   * When a failed call may be made again: `always` where it changes nothing, `unbegun` where the source said that it has not begun, `never` where
   * the bytes of the call are spent.
   */
  readonly repeat: 'always' | 'unbegun' | 'never';
  /** It lasts as long as a client takes for the bytes of a file. */
  readonly isTransfer: boolean;
}

const question = { repeat: 'always', isTransfer: false, begin: 20_000 } as const;
const listing = { ...question, silence: 20_000 } as const;
/** A rename or removal of a folder may be one request for each item in it. */
const ofTrees = { repeat: 'unbegun', isTransfer: false } as const;

/** Everything that layers know of the operations of a connector, in the order in which capabilities are told. */
export const operations = {
  list: { ...listing, shape: 'batches' },
  stat: { ...question, shape: 'entry' },
  read: { ...question, shape: 'body', isTransfer: true, silence: deadlines.silence },
  write: {
    shape: 'entry',
    repeat: 'never',
    isTransfer: true,
    // A service that asks to wait is obeyed before the first byte; afterwards there are parts still to be sent, and to be put together.
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

/** Each method of a connector that asks the source, with the operation that its calls count as. */
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

/** What the connector can do, in the order of {@link operations}. */
export const capabilitiesOf = (connector: Connector): Operation[] =>
  operationNames.filter((operation) => connector[operation] !== undefined);
