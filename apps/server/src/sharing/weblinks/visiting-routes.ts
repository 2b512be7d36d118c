import type { FastifyReply, FastifyRequest } from 'fastify';
import { asGuest } from '#/links/connections/guests.ts';
import { readCookie } from '#/platform/http/cookies.ts';
import { networkOf } from '#/platform/http/network.ts';
import { publicError } from './public-errors.ts';
import type { Visit } from './public-shares.ts';
import { createUnderWay } from './under-way.ts';
import type { VisitKind, Visits } from './visits.ts';

interface Running {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly signal: AbortSignal;
}

/** The cookie with a visitor's pass. */
export const cookieOf = (weblinkId: string): string => `weblink-${weblinkId}`;

export const visitOf = ({ headers, ip }: FastifyRequest, weblinkId: string): Visit => ({
  weblinkId,
  pass: readCookie(headers.cookie, cookieOf(weblinkId)),
  network: networkOf(ip),
});

export type Visiting = ReturnType<typeof createVisiting>;

/** How calls of visitors run: within bounds, without telling the owner's errors, and no longer than the share allows. */
export function createVisiting(visits: Visits) {
  const underWay = createUnderWay();

  /** Limits a call's connections of a link and the concurrent calls of a network, and hides the owner's errors. */
  async function outward<T>(request: FastifyRequest, work: () => Promise<T>, kind: VisitKind = 'look'): Promise<T> {
    const network = networkOf(request.ip);
    try {
      return await underWay(network, () => asGuest(network, work));
    } catch (error) {
      throw publicError(error, kind === 'upload');
    }
  }

  return {
    outward,

    /** Runs a visitor's call, and ends it, including a running download or upload, when the share no longer allows it. */
    async visited<T>(
      weblinkId: string,
      { request, reply, signal }: Running,
      work: (visit: Visit, signal: AbortSignal) => Promise<T>,
      kind: VisitKind = 'look',
    ): Promise<T> {
      const visit = visitOf(request, weblinkId);
      const running = visits.begin(visit, kind);
      if (reply.raw.closed) running.release();
      else reply.raw.once('close', running.release);
      const call = async (): Promise<T> => {
        try {
          return await work(visit, AbortSignal.any([signal, running.signal]));
        } catch (error) {
          throw running.signal.aborted ? running.signal.reason : error;
        }
      };
      return outward(request, call, kind);
    },
  };
}
