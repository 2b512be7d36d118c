import type { Readable } from 'node:stream';
import type { Ask, Body, Changes, Connector, Entry, Found, Operation, Usage } from '../core/connector.ts';
import { ConnectorError } from '../core/error.ts';

/** One call of a connector, as layers see it. */
export interface LayerCall {
  readonly operation: Operation;
  readonly path: string;
  /** Where the item is to be afterwards: the path of a move or copy, the new name of a rename. */
  readonly target?: string;
  /** Every file that `readMany` asks for. */
  readonly files?: readonly string[];
  readonly signal: AbortSignal;
  /** The bytes of a write. */
  readonly body?: Readable;
}

/** A listing, or a search, on its way: its first batch has arrived. */
export interface Batches<Row = Entry> {
  /** The next batch, or undefined after the last. */
  next(): Promise<readonly Row[] | undefined>;
  /** Stops the listing; safe after its end and more than once. */
  close(): Promise<void>;
}

/** What a call gave. The call of a listing or a body is over only when that is. */
export type Answer =
  | { readonly shape: 'batches'; readonly batches: Batches }
  | { readonly shape: 'finds'; readonly batches: Batches<Found> }
  | { readonly shape: 'body'; readonly body: Body }
  | { readonly shape: 'entry'; readonly entry: Entry }
  | { readonly shape: 'usage'; readonly usage: Usage }
  | { readonly shape: 'changes'; readonly changes: Changes }
  | { readonly shape: 'nothing' };

/** Sees every call of every operation; `next` goes one step nearer to the source, with the caller's signal or one that ends sooner. */
export type Layer = (call: LayerCall, next: (signal: AbortSignal) => Promise<Answer>) => Promise<Answer>;

/** Wraps `inner`, the first layer outermost. What `inner` cannot do stays absent. */
export function layered(inner: Connector, ...layers: readonly Layer[]): Connector {
  const pass = (call: LayerCall, run: (ask: Ask) => Promise<Answer>): Promise<Answer> =>
    layers.reduceRight<(signal: AbortSignal) => Promise<Answer>>(
      (next, layer) => (signal) => layer({ ...call, signal }, next),
      (signal) => run({ signal }),
    )(call.signal);
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
  const clearUp = inner.clearUp?.bind(inner);

  return {
    async *list(path, { signal }) {
      const answer = await pass({ operation: 'list', path, signal }, async (ask) => ({
        shape: 'batches',
        batches: await begun(inner.list(path, ask)),
      }));
      if (answer.shape !== 'batches') throw wrongShape(answer);
      yield* all(answer.batches);
    },
    stat: (path, { signal }) => pass({ operation: 'stat', path, signal }, async (ask) => entry(await inner.stat(path, ask))).then(entryOf),
    read: (path, { signal, ...rest }) =>
      pass({ operation: 'read', path, signal }, async (ask) => ({
        shape: 'body',
        body: await inner.read(path, { ...rest, ...ask }),
      })).then(bodyOf),
    ...(lstat && {
      lstat: (path, { signal }) => pass({ operation: 'stat', path, signal }, async (ask) => entry(await lstat(path, ask))).then(entryOf),
    }),
    ...(readMany && {
      readMany: (files, { signal }) =>
        pass({ operation: 'read', path: files[0]?.path ?? '/', files: files.map(({ path }) => path), signal }, async (ask) => ({
          shape: 'body',
          body: await readMany(files, ask),
        })).then(bodyOf),
    }),
    ...(write && {
      async write(path, body, { signal, ...rest }) {
        try {
          const call = { operation: 'write', path, signal, body } as const;
          return entryOf(await pass(call, async (ask) => entry(await write(path, body, { ...rest, ...ask }))));
        } catch (error) {
          // A layer may have given up before the connector saw the body.
          body.destroy();
          throw error;
        }
      },
    }),
    ...(createFolder && {
      createFolder: (path, { signal }) =>
        pass({ operation: 'createFolder', path, signal }, async (ask) => entry(await createFolder(path, ask))).then(entryOf),
    }),
    ...(rename && {
      rename: (path, target, { signal }) =>
        pass({ operation: 'rename', path, target, signal }, async (ask) => entry(await rename(path, target, ask))).then(entryOf),
    }),
    ...(move && {
      move: (path, target, { signal }) =>
        pass({ operation: 'move', path, target, signal }, async (ask) => entry(await move(path, target, ask))).then(entryOf),
    }),
    ...(copy && {
      copy: (path, target, { signal }) =>
        pass({ operation: 'copy', path, target, signal }, async (ask) => entry(await copy(path, target, ask))).then(entryOf),
    }),
    ...(remove && {
      async remove(path, { signal }) {
        await pass({ operation: 'remove', path, signal }, async (ask) => {
          await remove(path, ask);
          return { shape: 'nothing' };
        });
      },
    }),
    ...(thumbnail && {
      thumbnail: (path, { signal, ...rest }) =>
        pass({ operation: 'thumbnail', path, signal }, async (ask) => ({
          shape: 'body',
          body: await thumbnail(path, { ...rest, ...ask }),
        })).then(bodyOf),
    }),
    ...(search && {
      async *search(path, { signal, ...rest }) {
        const answer = await pass({ operation: 'search', path, signal }, async (ask) => ({
          shape: 'finds',
          batches: await begun(search(path, { ...rest, ...ask })),
        }));
        if (answer.shape !== 'finds') throw wrongShape(answer);
        yield* all(answer.batches);
      },
    }),
    ...(usage && {
      async usage({ signal }) {
        const answer = await pass({ operation: 'usage', path: '/', signal }, async (ask) => ({ shape: 'usage', usage: await usage(ask) }));
        if (answer.shape !== 'usage') throw wrongShape(answer);
        return answer.usage;
      },
    }),
    ...(changes && {
      async changes(since, { signal }) {
        const answer = await pass({ operation: 'changes', path: '/', signal }, async (ask) => ({
          shape: 'changes',
          changes: await changes(since, ask),
        }));
        if (answer.shape !== 'changes') throw wrongShape(answer);
        return answer.changes;
      },
    }),
    ...(clearUp && {
      async clearUp(leftover, { signal }) {
        await pass({ operation: 'remove', path: '/', signal }, async (ask) => {
          await clearUp(leftover, ask);
          return { shape: 'nothing' };
        });
      },
    }),
    close: () => inner.close(),
  };
}

/** Every batch; stops the source when the taker stops. */
async function* all<Row>(batches: Batches<Row>): AsyncGenerator<readonly Row[]> {
  try {
    for (let batch = await batches.next(); batch; batch = await batches.next()) yield batch;
  } finally {
    await batches.close();
  }
}

const entry = (value: Entry): Answer => ({ shape: 'entry', entry: value });

/** Waits for the first batch, so that a listing that fails at once fails as a call does, and may be tried again. */
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

const wrongShape = (answer: Answer) => new ConnectorError('unexpected', `a layer gave ${answer.shape}`);

function entryOf(answer: Answer): Entry {
  if (answer.shape !== 'entry') throw wrongShape(answer);
  return answer.entry;
}

function bodyOf(answer: Answer): Body {
  if (answer.shape !== 'body') throw wrongShape(answer);
  return answer.body;
}
