import type { Body } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import { readWhole } from '../body/whole-body.ts';
import type { Connection } from './http-connection.ts';
import { createDecoder } from './http-framing.ts';
import type { Head } from './http-head.ts';
import type { HttpResponse } from './http.ts';

/** Maximum bytes of an unwanted body that are read to its end; beyond that, a new connection is cheaper. */
const discardLimit = 256 * 1024;
const textLimit = 1024 * 1024;

/**
 * Creates the response for a head that has arrived. Calls `done` once when reading has ended: with true when the body is complete and the
 * connection can be reused.
 */
export function createResponse(connection: Connection, head: Head, done: (whole: boolean) => void): HttpResponse {
  const { framing, status, headers } = head;
  const size = framing.kind === 'length' ? framing.length : undefined;
  const decoder = createDecoder(framing);
  let finished = false;

  function finish(whole: boolean): void {
    if (finished) return;
    finished = true;
    done(whole);
  }

  const cut = () => new ConnectorError('interrupted', 'the connection ended within the body', { retryable: true });
  const givenUp = () => new ConnectorError('aborted', 'the body was given up');

  /** Decodes some bytes; puts back what follows the body. */
  function decode(bytes: Buffer): { readonly data: Buffer; readonly whole: boolean } {
    if (finished) throw givenUp();
    const { data, used, done: whole } = decoder.push(bytes);
    if (whole) connection.inbound.unread(bytes.length - used);
    return { data, whole };
  }

  /** Yields the data as it arrives. Returns the connection after the last piece was taken, because its memory is lent until then. */
  async function* stream(): AsyncGenerator<Buffer, void, undefined> {
    connection.inbound.expect(size ?? Number.MAX_SAFE_INTEGER);
    try {
      for (let whole = size === 0; !whole;) {
        if (finished) throw givenUp();
        const bytes = await connection.read();
        if (!bytes) {
          if (framing.kind === 'close') return;
          throw cut();
        }
        const piece = decode(bytes);
        whole = piece.whole;
        if (piece.data.length > 0) yield piece.data;
      }
      connection.inbound.expect(0);
      finish(true);
    } finally {
      finish(false);
    }
  }

  /** Like `stream`, for large bodies: passes each piece on within the event that delivered it. */
  async function drain(take: Parameters<Body['drain']>[0]): Promise<void> {
    connection.inbound.expect(size ?? Number.MAX_SAFE_INTEGER);
    try {
      if (finished) throw givenUp();
      const isWhole =
        size === 0 ||
        (await connection.pump((bytes) => {
          const { data, whole } = decode(bytes);
          const taken = data.length > 0 ? take(data) : undefined;
          return taken ? taken.then(() => !whole) : !whole;
        }));
      if (!isWhole && framing.kind !== 'close') throw cut();
      connection.inbound.expect(0);
      finish(isWhole);
    } finally {
      finish(false);
    }
  }

  return {
    status,
    headers,
    stream,
    async text(limit = textLimit) {
      return (await readWhole(stream(), limit)).toString('utf8');
    },
    body: (entry: Body['entry'] = {}): Body => ({
      ...(size !== undefined && { size }),
      entry,
      drain,
      cancel: () => finish(false),
    }),
    async discard() {
      if (size !== undefined && size > discardLimit) return finish(false);
      let length = 0;
      try {
        for await (const data of stream()) {
          length += data.byteLength;
          if (length > discardLimit) return;
        }
      } catch (error) {
        // The caller has the head; a body that breaks off only costs the connection, which is already closed.
        if (!(error instanceof ConnectorError)) throw error;
      }
    },
  };
}
