import { createHmac, timingSafeEqual } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { appError } from '@sheaf/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The path at which an installation probes itself through its public address. */
export const probePath = '/probe';
export const probeHeader = 'x-sheaf-probe';
/** Seconds for which a token opens the probe. */
const lifetime = 60;
/** Most bytes that a probe's upload has. */
export const probeBytes = 3 * 1024 * 1024;
/** Milliseconds between the two events of a probe's stream. */
export const probePause = 1000;

/** What the server saw of a probe. */
export interface ProbeAnswer {
  /** The address that the server takes for the visitor's. */
  readonly address: string;
  /** The address from which the connection came. */
  readonly peer: string;
  /** Whether the server trusts that peer's X-Forwarded headers. */
  readonly isTrusted: boolean;
  /** The header X-Forwarded-For as received. */
  readonly forwarded: string;
  /** Bytes of the body, and milliseconds from its headers to its end. */
  readonly bytes: number;
  readonly milliseconds: number;
}

/** The key of probes, from which the master key cannot be derived. */
export const probeKeyOf = (masterKey: Buffer): Buffer => createHmac('sha256', masterKey).update('probe key').digest();

const signatureOf = (key: Buffer, time: string): Buffer => createHmac('sha256', key).update(`probe ${time}`).digest();

/** A token that any process with the same key accepts for a minute; `now` in epoch seconds. */
export const probeToken = (key: Buffer, now: number): string => `${now}.${signatureOf(key, String(now)).toString('base64url')}`;

function isProbe(key: Buffer, now: number, token: unknown): boolean {
  const [, time = '', given = ''] = /^(\d{1,12})\.([\w-]{43})$/.exec(typeof token === 'string' ? token : '') ?? [];
  return timingSafeEqual(signatureOf(key, time), padded(given)) && Math.abs(now - Number(time)) <= lifetime;
}
const padded = (text: string): Buffer => {
  const bytes = Buffer.alloc(32);
  Buffer.from(text, 'base64url').copy(bytes);
  return bytes;
};

/** Routes for the installation's requests to itself; refuses everybody else. */
export function probeRoutes(app: FastifyInstance, key: Buffer, now: () => number): void {
  const check = async (request: FastifyRequest): Promise<void> => {
    if (!isProbe(key, now(), request.headers[probeHeader])) throw appError('NOT_FOUND', {});
  };
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/octet-stream', (_request, body, done) => done(null, body));

    // Two events with a pause between them: a proxy that buffers delivers both at once.
    scope.get(probePath, { onRequest: check }, async (request, reply) => {
      const events = new PassThrough();
      void reply.header('x-accel-buffering', 'no').header('cache-control', 'no-store, no-transform').header(probeHeader, 'ok');
      void (async () => {
        events.write(`data: ${JSON.stringify(seen(request, 0, 0))}\n\n`);
        await sleep(probePause);
        events.end('data: end\n\n');
      })();
      return reply.type('text/event-stream').send(events);
    });

    scope.post<{ Body: Readable }>(probePath, { onRequest: check }, async (request, reply) => {
      const began = performance.now();
      let bytes = 0;
      for await (const chunk of request.body as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > probeBytes) throw appError('NOT_FOUND', {});
      }
      return reply.header(probeHeader, 'ok').send(seen(request, bytes, Math.round(performance.now() - began)));
    });
  });
}

const seen = (request: FastifyRequest, bytes: number, milliseconds: number): ProbeAnswer => ({
  address: request.ip,
  peer: request.raw.socket.remoteAddress ?? '',
  // For an untrusted peer, Fastify lists no address but the peer's own.
  isTrusted: (request.ips?.length ?? 1) > 1,
  forwarded: [request.headers['x-forwarded-for'] ?? ''].flat().join(', '),
  bytes,
  milliseconds,
});
