import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { lendChunks } from '@sheaf/connectors';
import type { FastifyReply } from 'fastify';

/** Bytes of a refused upload that are still taken, so that the client reads the refusal instead of a broken connection. */
const lingering = 16 << 20;
/** Bytes that wait for the source while it takes others: with less, client and source would take turns, a chunk at a time. */
const readAhead = 1 << 20;

/** The bytes a request says it will send; a body in chunks says nothing, and no body at all is an empty file. */
export function announcedSize(headers: IncomingHttpHeaders): { size?: number } {
  if (headers['transfer-encoding'] !== undefined) return {};
  return { size: Number(headers['content-length'] ?? 0) };
}

/**
 * The body of a request as a stream that may be destroyed without taking the connection along, on which the refusal still has to be sent.
 * It fails when the client goes away.
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
  // Whoever reads it hears why it failed; when nobody does any more, that must not end the process.
  body.on('error', () => undefined);
  request.pause();
  return body;
}

/** After a refusal: lets the client send on for a while without keeping anything, then ends the connection. */
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
