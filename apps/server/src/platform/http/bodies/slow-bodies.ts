import type { FastifyInstance } from 'fastify';

/** Time limit for receiving a form or JSON body, in milliseconds: enough for 1 MiB, the maximum, at modem speed. */
const defaultTimeout = 180_000;

/**
 * Ends requests whose form or JSON body does not arrive in time: visitors could otherwise hold any number of connections open. Node's own limit is
 * off, because it would apply to uploads too; those need a session before a byte is read.
 */
export function refuseSlowBodies(app: FastifyInstance, timeout = defaultTimeout): void {
  app.addHook('preParsing', ({ method, raw }, _reply, _payload, done) => {
    if (method === 'POST' && !raw.complete) {
      const timer = setTimeout(() => raw.destroy(), timeout).unref();
      raw.once('close', () => clearTimeout(timer));
    }
    done();
  });
}
