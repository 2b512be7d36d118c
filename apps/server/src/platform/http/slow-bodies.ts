import type { FastifyInstance } from 'fastify';

/** Milliseconds in which a form or JSON body has to be there: 1 MiB, the longest, at the speed of a modem. */
const usualPatience = 180_000;

/**
 * Breaks off requests whose form or JSON body does not come: whoever needs no session for it could hold any number of connections open for good.
 * Node's own limit is off, because it would count for uploads too; those need a session before a byte of them is read.
 */
export function refuseSlowBodies(app: FastifyInstance, patience = usualPatience): void {
  app.addHook('preParsing', ({ method, raw }, _reply, _payload, done) => {
    if (method === 'POST' && !raw.complete) {
      const timer = setTimeout(() => raw.destroy(), patience).unref();
      raw.once('close', () => clearTimeout(timer));
    }
    done();
  });
}
