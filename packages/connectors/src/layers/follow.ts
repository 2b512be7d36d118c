import type { Answer, Batches } from './layered.ts';

/** How a layer reacts to the end of a call whose answer is a stream: a listing or a body. */
interface Watch {
  /** Called once: after the last batch or byte, on failure, or when the caller stops early. */
  ended(failure?: unknown): void;
  /** Returns the error to throw in place of one that interrupts the answer. */
  failure?(error: unknown): unknown;
  /** Runs each request for more of the answer. */
  around?<T>(work: () => Promise<T>): Promise<T>;
}

/** Returns the same answer, observed to its end. */
export function follow(answer: Answer, watch: Watch): Answer {
  let over = false;
  const end = (failure?: unknown) => {
    if (over) return;
    over = true;
    watch.ended(failure);
  };
  const more = <T>(work: () => Promise<T>): Promise<T> => (watch.around ? watch.around(work) : work());
  const fail = (error: unknown): never => {
    end(error);
    throw watch.failure ? watch.failure(error) : error;
  };

  const watched = <Row>(batches: Batches<Row>): Batches<Row> => ({
    async next() {
      const batch = await more(() => batches.next()).catch(fail);
      if (!batch) end();
      return batch;
    },
    close: () => batches.close().catch(fail).finally(end),
  });

  switch (answer.shape) {
    case 'batches':
      return { shape: 'batches', batches: watched(answer.batches) };
    case 'finds':
      return { shape: 'finds', batches: watched(answer.batches) };
    case 'body': {
      const { body } = answer;
      return {
        shape: 'body',
        body: {
          ...(body.size !== undefined && { size: body.size }),
          entry: body.entry,
          drain: (take) => more(() => body.drain(take)).then(() => end(), fail),
          cancel() {
            body.cancel();
            end();
          },
        },
      };
    }
    case 'entry':
    case 'usage':
    case 'changes':
    case 'upload':
    case 'numbered':
    case 'receipt':
    case 'state':
    case 'finished':
    case 'located':
    case 'bin':
    case 'version':
    case 'versions':
    case 'fact':
    case 'hashes':
    case 'subscription':
    case 'nothing':
      end();
      return answer;
  }
}
