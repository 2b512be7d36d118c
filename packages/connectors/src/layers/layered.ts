import type { Readable } from 'node:stream';
import type { Bin, BinPage } from '../core/bin.ts';
import type { CallOptions, Body, Changes, Connector, Entry, Found, Usage } from '../core/connector.ts';
import { ConnectorError } from '../core/error.ts';
import type { Hashes } from '../core/hashes.ts';
import type { Hints, Subscription } from '../core/hints/hints.ts';
import {
  type Operation,
  binOf,
  hintsOf,
  numberedUploadsOf,
  operationOf,
  operations,
  resumableUploadsOf,
  serviceCopiesOf,
  versionsOf,
} from '../core/operations.ts';
import type { KeptVersion, VersionReadOptions, Versions } from '../core/replacing.ts';
import type { ServiceCopies, ServiceFile } from '../core/service-copy.ts';
import type { FinishedUpload, NumberedUpload, NumberedUploads, ResumableUploads, Upload, UploadState } from '../core/upload.ts';

/** One call to a connector, as layers see it. */
export interface LayerCall {
  readonly operation: Operation;
  readonly path: string;
  /** Destination of the item: the path of a move or copy, the new name of a rename. */
  readonly target?: string;
  /** Every file that `readMany` requests. */
  readonly files?: readonly string[];
  readonly signal: AbortSignal;
  /** When the caller began to wait, in ms of `performance.now()`. */
  readonly begunAt: number;
  /** The bytes of a write or of a part. */
  readonly body?: Readable;
}

/** A running listing or search whose first batch has arrived. */
export interface Batches<Row = Entry> {
  /** Returns the next batch, or undefined after the last. */
  next(): Promise<readonly Row[] | undefined>;
  /** Stops the listing; safe after its end and when called repeatedly. */
  close(): Promise<void>;
}

/** Result of a call. The call of a listing or a body is over only when its stream has ended. */
export type Answer =
  | { readonly shape: 'batches'; readonly batches: Batches }
  | { readonly shape: 'finds'; readonly batches: Batches<Found> }
  | { readonly shape: 'body'; readonly body: Body }
  | { readonly shape: 'entry'; readonly entry: Entry }
  | { readonly shape: 'usage'; readonly usage: Usage }
  | { readonly shape: 'changes'; readonly changes: Changes }
  | { readonly shape: 'upload'; readonly upload: Upload }
  | { readonly shape: 'numbered'; readonly upload: NumberedUpload }
  | { readonly shape: 'receipt'; readonly receipt: string }
  | { readonly shape: 'state'; readonly state: UploadState }
  | { readonly shape: 'finished'; readonly finished: FinishedUpload }
  | { readonly shape: 'located'; readonly file: ServiceFile }
  | { readonly shape: 'bin'; readonly page: BinPage }
  | { readonly shape: 'version'; readonly version: string | undefined }
  | { readonly shape: 'versions'; readonly versions: readonly KeptVersion[] | undefined }
  | { readonly shape: 'fact'; readonly fact: boolean }
  | { readonly shape: 'hashes'; readonly hashes: Hashes | undefined }
  | { readonly shape: 'subscription'; readonly subscription: Subscription }
  | { readonly shape: 'nothing' };

/**
 * Intercepts every call of every operation. `next` calls the next inner layer with the caller's signal, or with one that aborts earlier.
 */
export type Layer = (call: LayerCall, next: (signal: AbortSignal) => Promise<Answer>) => Promise<Answer>;

/** Wraps `inner`; the first layer is the outermost. Methods that `inner` lacks stay absent. */
export function layered(inner: Connector, ...layers: readonly Layer[]): Connector {
  async function pass<M extends Method>(method: M, call: Asked, run: (ask: CallOptions) => Promise<AnswerOf<M>>): Promise<AnswerOf<M>> {
    const made: LayerCall = { ...call, operation: operationOf[method], begunAt: performance.now() };
    const through = layers.reduceRight<(signal: AbortSignal) => Promise<Answer>>(
      (next, layer) => (signal) => layer({ ...made, signal }, next),
      (signal) => run({ signal }),
    );
    const answer = await through(call.signal);
    if (isAnswerTo(method, answer)) return answer;
    throw new ConnectorError('unexpected', `a layer gave ${answer.shape}`);
  }
  const listTree = inner.listTree?.bind(inner);
  const lstat = inner.lstat?.bind(inner);
  const readMany = inner.readMany?.bind(inner);
  const write = inner.write?.bind(inner);
  const createFolder = inner.createFolder?.bind(inner);
  const rename = inner.rename?.bind(inner);
  const move = inner.move?.bind(inner);
  const copy = inner.copy?.bind(inner);
  const remove = inner.remove?.bind(inner);
  const thumbnail = inner.thumbnail?.bind(inner);
  const search = inner.search?.bind(inner);
  const usage = inner.usage?.bind(inner);
  const changes = inner.changes?.bind(inner);
  const digest = inner.digest?.bind(inner);
  const clearUp = inner.clearUp?.bind(inner);
  const uploads = resumableUploadsOf(inner);
  const numbered = numberedUploadsOf(inner);
  const copies = serviceCopiesOf(inner);
  const bin = binOf(inner);
  const versions = versionsOf(inner);
  const hints = hintsOf(inner);

  return {
    async *list(path, { signal }) {
      yield* all((await pass('list', { path, signal }, async (ask) => batches(await begun(inner.list(path, ask))))).batches);
    },
    async stat(path, { signal }) {
      return (await pass('stat', { path, signal }, async (ask) => entry(await inner.stat(path, ask)))).entry;
    },
    async read(path, { signal, ...rest }) {
      return (await pass('read', { path, signal }, async (ask) => body(await inner.read(path, { ...rest, ...ask })))).body;
    },
    ...(listTree && {
      async *listTree(path, { signal }) {
        yield* all((await pass('listTree', { path, signal }, async (ask) => finds(await begun(listTree(path, ask))))).batches);
      },
    }),
    ...(lstat && {
      async lstat(path, { signal }) {
        return (await pass('lstat', { path, signal }, async (ask) => entry(await lstat(path, ask)))).entry;
      },
    }),
    ...(readMany && {
      async readMany(files, { signal }) {
        const call = { path: files[0]?.path ?? '/', files: files.map(({ path }) => path), signal };
        return (await pass('readMany', call, async (ask) => body(await readMany(files, ask)))).body;
      },
    }),
    ...(write && {
      async write(path, bytes, { signal, ...rest }) {
        try {
          const call = { path, signal, body: bytes };
          return (await pass('write', call, async (ask) => entry(await write(path, bytes, { ...rest, ...ask })))).entry;
        } catch (error) {
          // A layer may have given up before the connector saw the body.
          bytes.destroy();
          throw error;
        }
      },
    }),
    ...(createFolder && {
      async createFolder(path, { signal }) {
        return (await pass('createFolder', { path, signal }, async (ask) => entry(await createFolder(path, ask)))).entry;
      },
    }),
    ...(rename && {
      async rename(path, target, { signal }) {
        return (await pass('rename', { path, target, signal }, async (ask) => entry(await rename(path, target, ask)))).entry;
      },
    }),
    ...(move && {
      async move(path, target, { signal }) {
        return (await pass('move', { path, target, signal }, async (ask) => entry(await move(path, target, ask)))).entry;
      },
    }),
    ...(copy && {
      async copy(path, target, { signal }) {
        return (await pass('copy', { path, target, signal }, async (ask) => entry(await copy(path, target, ask)))).entry;
      },
    }),
    ...(remove && {
      async remove(path, { signal }) {
        await pass('remove', { path, signal }, async (ask) => nothing(await remove(path, ask)));
      },
    }),
    ...(thumbnail && {
      async thumbnail(path, { signal, ...rest }) {
        return (await pass('thumbnail', { path, signal }, async (ask) => body(await thumbnail(path, { ...rest, ...ask })))).body;
      },
    }),
    ...(search && {
      async *search(path, { signal, ...rest }) {
        yield* all((await pass('search', { path, signal }, async (ask) => finds(await begun(search(path, { ...rest, ...ask }))))).batches);
      },
    }),
    ...(usage && {
      async usage({ signal }) {
        return (await pass('usage', { path: '/', signal }, async (ask) => ({ shape: 'usage', usage: await usage(ask) }))).usage;
      },
    }),
    ...(changes && {
      async changes(since, { signal }) {
        const call = { path: '/', signal };
        return (await pass('changes', call, async (ask) => ({ shape: 'changes', changes: await changes(since, ask) }))).changes;
      },
    }),
    ...(digest && {
      async digest(path, { signal, size }) {
        const run = async (ask: CallOptions) => ({ shape: 'hashes', hashes: await digest(path, { size, ...ask }) }) as const;
        return (await pass('digest', { path, signal }, run)).hashes;
      },
    }),
    ...(clearUp && {
      async clearUp(leftover, { signal }) {
        await pass('clearUp', { path: '/', signal }, async (ask) => nothing(await clearUp(leftover, ask)));
      },
    }),
    ...(uploads && layeredUploads(uploads)),
    ...(numbered && layeredNumbered(numbered)),
    ...(copies && layeredCopies(copies)),
    ...(bin && layeredBin(bin)),
    ...(versions && layeredVersions(versions)),
    ...(hints && layeredHints(hints)),
    ...(inner.hashes && { hashes: inner.hashes }),
    ...(inner.rewrites && { rewrites: inner.rewrites.bind(inner) }),
    ...(inner.limits && { limits: inner.limits }),
    close: () => inner.close(),
  };

  function layeredBin({ bin: kind, keeps, discard, binned, restore, purge, listBin }: Bin): Bin {
    return {
      bin: kind,
      ...(keeps && {
        async keeps({ signal }: CallOptions) {
          const run = async (ask: CallOptions) => ({ shape: 'fact', fact: await keeps(ask) }) as const;
          return (await pass('keeps', { path: '/', signal }, run)).fact;
        },
      }),
      async discard(path, { signal, ...rest }) {
        const run = async (ask: CallOptions) => ({ shape: 'receipt', receipt: await discard(path, { ...rest, ...ask }) }) as const;
        return (await pass('discard', { path, signal }, run)).receipt;
      },
      async binned(binId, { signal }) {
        return (await pass('binned', { path: '/', signal }, async (ask) => entry(await binned(binId, ask)))).entry;
      },
      async restore(binId, path, { signal }) {
        return (await pass('restore', { path: path ?? '/', signal }, async (ask) => entry(await restore(binId, path, ask)))).entry;
      },
      ...(purge && {
        async purge(binId: string, { signal }: CallOptions) {
          await pass('purge', { path: '/', signal }, async (ask) => nothing(await purge(binId, ask)));
        },
      }),
      ...(listBin && {
        async listBin(cursor: string | undefined, { signal }: CallOptions) {
          const run = async (ask: CallOptions) => ({ shape: 'bin', page: await listBin(cursor, ask) }) as const;
          return (await pass('listBin', { path: '/', signal }, run)).page;
        },
      }),
    };
  }

  function layeredVersions({ versionOf, restoreVersion, listVersions, readVersion }: Versions): Versions {
    return {
      async versionOf(path, { signal }) {
        const run = async (ask: CallOptions) => ({ shape: 'version', version: await versionOf(path, ask) }) as const;
        return (await pass('versionOf', { path, signal }, run)).version;
      },
      async restoreVersion(path, versionId, { signal }) {
        const run = async (ask: CallOptions) => entry(await restoreVersion(path, versionId, ask));
        return (await pass('restoreVersion', { path, signal }, run)).entry;
      },
      ...(listVersions && {
        async listVersions(path: string, { signal }: CallOptions) {
          const run = async (ask: CallOptions) => ({ shape: 'versions', versions: await listVersions(path, ask) }) as const;
          return (await pass('listVersions', { path, signal }, run)).versions;
        },
      }),
      ...(readVersion && {
        async readVersion(path: string, versionId: string, { signal, ...rest }: VersionReadOptions) {
          const run = async (ask: CallOptions) => body(await readVersion(path, versionId, { ...rest, ...ask }));
          return (await pass('readVersion', { path, signal }, run)).body;
        },
      }),
    };
  }

  function layeredCopies({ serviceFile, copyFrom, ...facts }: ServiceCopies): ServiceCopies {
    return {
      ...facts,
      async serviceFile(path, { signal, ...rest }) {
        const run = async (ask: CallOptions) => ({ shape: 'located', file: await serviceFile(path, { ...rest, ...ask }) }) as const;
        return (await pass('serviceFile', { path, signal }, run)).file;
      },
      async copyFrom(file, path, { signal }) {
        return (await pass('copyFrom', { path, signal }, async (ask) => entry(await copyFrom(file, path, ask)))).entry;
      },
    };
  }

  function layeredHints({ subscribe, unsubscribe }: Hints): Hints {
    return {
      async subscribe(wish, { signal }) {
        const run = async (ask: CallOptions) => ({ shape: 'subscription', subscription: await subscribe(wish, ask) }) as const;
        return (await pass('subscribe', { path: '/', signal }, run)).subscription;
      },
      async unsubscribe(handle, { signal }) {
        await pass('unsubscribe', { path: '/', signal }, async (ask) => nothing(await unsubscribe(handle, ask)));
      },
    };
  }

  function layeredUploads(steps: ResumableUploads): ResumableUploads {
    return {
      async beginUpload(path, { signal, ...rest }) {
        const run = async (ask: CallOptions) => ({ shape: 'upload', upload: await steps.beginUpload(path, { ...rest, ...ask }) }) as const;
        return (await pass('beginUpload', { path, signal }, run)).upload;
      },
      async sendPart(path, bytes, { signal, ...rest }) {
        try {
          const run = async (ask: CallOptions) =>
            ({ shape: 'receipt', receipt: await steps.sendPart(path, bytes, { ...rest, ...ask }) }) as const;
          return (await pass('sendPart', { path, signal, body: bytes }, run)).receipt;
        } catch (error) {
          bytes.destroy();
          throw error;
        }
      },
      async uploadState(path, { signal, session }) {
        const run = async (ask: CallOptions) => ({ shape: 'state', state: await steps.uploadState(path, { session, ...ask }) }) as const;
        return (await pass('uploadState', { path, signal }, run)).state;
      },
      async finishUpload(path, { signal, ...rest }) {
        const run = async (ask: CallOptions) =>
          ({ shape: 'finished', finished: await steps.finishUpload(path, { ...rest, ...ask }) }) as const;
        return (await pass('finishUpload', { path, signal }, run)).finished;
      },
      async abandonUpload(path, { signal, session }) {
        await pass('abandonUpload', { path, signal }, async (ask) => nothing(await steps.abandonUpload(path, { session, ...ask })));
      },
    };
  }

  function layeredNumbered(steps: NumberedUploads): NumberedUploads {
    return {
      async beginNumbered(path, { signal, ...rest }) {
        const run = async (ask: CallOptions) =>
          ({ shape: 'numbered', upload: await steps.beginNumbered(path, { ...rest, ...ask }) }) as const;
        return (await pass('beginNumbered', { path, signal }, run)).upload;
      },
      async sendNumbered(path, bytes, { signal, ...rest }) {
        try {
          const run = async (ask: CallOptions) =>
            ({ shape: 'receipt', receipt: await steps.sendNumbered(path, bytes, { ...rest, ...ask }) }) as const;
          return (await pass('sendNumbered', { path, signal, body: bytes }, run)).receipt;
        } catch (error) {
          bytes.destroy();
          throw error;
        }
      },
      async finishNumbered(path, { signal, ...rest }) {
        const run = async (ask: CallOptions) =>
          ({ shape: 'finished', finished: await steps.finishNumbered(path, { ...rest, ...ask }) }) as const;
        return (await pass('finishNumbered', { path, signal }, run)).finished;
      },
      async abandonNumbered(path, { signal, session }) {
        await pass('abandonNumbered', { path, signal }, async (ask) => nothing(await steps.abandonNumbered(path, { session, ...ask })));
      },
    };
  }
}

type Method = keyof typeof operationOf;
type Asked = Omit<LayerCall, 'operation' | 'begunAt'>;
type AnswerOf<M extends Method> = Extract<Answer, { readonly shape: (typeof operations)[(typeof operationOf)[M]]['shape'] }>;

const isAnswerTo = <M extends Method>(method: M, answer: Answer): answer is AnswerOf<M> =>
  answer.shape === operations[operationOf[method]].shape;

const batches = (value: Batches): AnswerOf<'list'> => ({ shape: 'batches', batches: value });
const finds = (value: Batches<Found>): AnswerOf<'search'> => ({ shape: 'finds', batches: value });
const body = (value: Body): AnswerOf<'read'> => ({ shape: 'body', body: value });
const entry = (value: Entry): AnswerOf<'stat'> => ({ shape: 'entry', entry: value });
const nothing = (_done: void): AnswerOf<'remove'> => ({ shape: 'nothing' });

/** Yields every batch; stops the source when the consumer stops. */
async function* all<Row>(source: Batches<Row>): AsyncGenerator<readonly Row[]> {
  try {
    for (let batch = await source.next(); batch; batch = await source.next()) yield batch;
  } finally {
    await source.close();
  }
}

/** Waits for the first batch, so that a listing that fails at once fails like a call and can be retried. */
async function begun<Row>(listing: AsyncIterable<readonly Row[]>): Promise<Batches<Row>> {
  const source = listing[Symbol.asyncIterator]();
  let waiting: IteratorResult<readonly Row[], unknown> | undefined = await source.next();
  return {
    async next() {
      const step = waiting ?? (await source.next());
      waiting = undefined;
      return step.done ? undefined : step.value;
    },
    async close() {
      await source.return?.();
    },
  };
}
