import { type Readable, Transform } from 'node:stream';
import { appError } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { networkOf } from '../network.ts';

/** Bytes of forms and JSON that are in memory at the same time: of all requests together, and of those of one network. */
const usual = { all: 256 << 20, network: 32 << 20 };
/** Types of bodies that are read into memory before the session is checked. Files are streamed, and XML has its own limits. */
const isRead = /^(?:application\/(?:json|x-www-form-urlencoded|scim\+json)|multipart\/form-data|text\/)/i;

/**
 * Refuses forms and JSON while others fill the memory for them. A body is read before its session is checked, so that people without an account
 * could send any number of them. Counts arrived bytes, because announcing a length costs the sender nothing.
 */
export function limitBodies(app: FastifyInstance, most: Readonly<Record<'all' | 'network', number>> = usual): void {
  const networks = new Map<string, number>();
  let all = 0;

  app.addHook('preParsing', async (request, reply, payload: Readable) => {
    if (!isRead.test(request.headers['content-type'] ?? '')) return payload;
    const network = networkOf(request.ip);
    let own = 0;
    const take = (bytes: number): void => {
      own += bytes;
      all += bytes;
      const held = (networks.get(network) ?? 0) + bytes;
      if (held === 0) networks.delete(network);
      else networks.set(network, held);
    };
    reply.raw.once('close', () => take(-own));
    const counted = Object.assign(
      new Transform({
        transform(chunk: Buffer, _encoding, done) {
          take(chunk.length);
          counted.receivedEncodedLength += chunk.length;
          const isFull = all > most.all || (networks.get(network) ?? 0) > most.network;
          done(isFull ? appError('TOO_MANY_CALLS', {}) : null, isFull ? undefined : chunk);
        },
      }),
      // Fastify compares it with the announced length.
      { receivedEncodedLength: 0 },
    );
    // Not a pipeline, which would end the connection before the refusal is sent. The rest is read and thrown away.
    counted.once('error', () => {
      if (!reply.sent) reply.header('connection', 'close');
      payload.unpipe(counted).resume();
    });
    payload.once('error', (error) => counted.destroy(error));
    request.raw.once('close', () => {
      if (!request.raw.complete) counted.destroy(new Error('the client left in the middle of its body'));
    });
    // Only once the body is read: an earlier refusal would find no listener.
    counted.once('resume', () => payload.pipe(counted));
    return counted;
  });
}
