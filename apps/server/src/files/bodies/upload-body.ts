import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { lendChunks } from '@sheaf/connectors';
import type { FastifyReply } from 'fastify';

/** Bytes of a refused upload that are still read, so that the client sees the refusal instead of a broken connection. */
const lingering = 16 << 20;
/** Bytes buffered while the source takes others: with less, client and source would alternate chunk by chunk. */
const readAhead = 1 << 20;

/** The declared number of bytes; undefined for a chunked body, 0 without a body. */
export function announcedSize(headers: IncomingHttpHeaders): { size?: number } {
  if (headers['transfer-encoding'] !== undefined) return {};
  return { size: Number(headers['content-length'] ?? 0) };
}

/**
 * The body of a request as a stream that can be destroyed without closing the connection, on which the refusal still has to be sent. Fails when the
 * client disconnects.
 */
export function uploadBody(request: IncomingMessage): Readable {
  const take = (chunk: Buffer): void => {
    if (!body.push(chunk)) request.pause();
  };
  const end = (): void => void body.push(null);
  const fail = (error: Error): void => void body.destroy(error);
  const body = lendChunks(
    new Readable({
      highWaterMark: readAhead,
      read: () => void request.resume(),
      destroy(error, done) {
        request.off('data', take).off('end', end).pause();
        done(error);
      },
    }),
  );
  request.on('data', take).once('end', end).once('error', fail);
  // Readers get the error; without a reader it must not end the process.
  body.on('error', () => undefined);
  request.pause();
  return body;
}

/** After a refusal: reads and discards for a while, then ends the connection. */
export function discardRest(request: IncomingMessage, reply: FastifyReply): void {
  if (request.readableEnded || request.destroyed) return;
  let discarded = 0;
  reply.header('connection', 'close');
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.byteLength;
    if (discarded > lingering) request.destroy();
  });
  request.resume();
}
