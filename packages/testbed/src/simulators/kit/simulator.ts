import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Faults, createFaults } from './faults.ts';
import { type House, type Mount, type Problem, hostOf, pathOf } from './host.ts';
import type { Identity, RejectedToken } from './identity.ts';
import { type Limit, createLimiter } from './limits.ts';
import type { Reply } from './reply.ts';
import { serve } from './serve.ts';

interface Options {
  readonly name: string;
  readonly mounts: readonly Mount[];
  /** Says whose request it is, from the bearer token and whatever else the provider looks at: usually `oauth.authenticate`. */
  readonly authenticate?: (incoming: IncomingMessage) => Identity | RejectedToken;
  /** The provider's words for a problem. */
  readonly refusal: (problem: Problem) => Reply;
}

export interface RequestRecord {
  readonly method: string;
  /** Without the query, which may hold secrets. */
  readonly path: string;
  readonly operation: string | undefined;
  /** Undefined while no answer has begun. */
  readonly status: number | undefined;
}

export interface Simulator {
  readonly name: string;
  /** `http://127.0.0.1:port`, without a slash at the end. */
  readonly url: string;
  /** What was not as described: requests that the provider would refuse, and answers that it would not give. */
  readonly violations: readonly string[];
  /** Throws with all violations, if there are any. */
  assertClean(): void;
  /** The last thousand requests. */
  readonly requests: readonly RequestRecord[];
  /** Most requests that were under way at one time. */
  peak(): number;
  readonly faults: Faults;
  /** Enforces a rate from now on, or none. */
  limit(limit: Limit | undefined): void;
  /** Forgets violations, requests, faults and limits; the provider's own state stays. */
  reset(): void;
  stop(): Promise<void>;
}

const mostRecords = 1000;

/** Starts a simulator on 127.0.0.1. Throws when a route, scope or open operation is not described. */
export async function startSimulator({ name, mounts, authenticate, refusal }: Options): Promise<Simulator> {
  const violations: string[] = [];
  const requests: { method: string; path: string; operation: string | undefined; status: number | undefined }[] = [];
  const faults = createFaults();
  const limiter = createLimiter();
  const traffic = { now: 0, peak: 0 };
  const house: House = {
    hosts: mounts.map(hostOf).sort((a, b) => b.mount.at.length - a.mount.at.length),
    authenticate,
    refusal,
    takeFault: faults.take,
    admit: limiter.admit,
    violate(line, why) {
      if (violations.length < mostRecords) violations.push(`${line}: ${why}`);
    },
  };
  const answer = (incoming: IncomingMessage, response: ServerResponse) => {
    const record = { method: incoming.method ?? 'GET', path: pathOf(incoming), operation: undefined, status: undefined };
    requests.push(record);
    if (requests.length > mostRecords) requests.shift();
    traffic.now += 1;
    traffic.peak = Math.max(traffic.peak, traffic.now);
    response.once('close', () => (traffic.now -= 1));
    void serve(house, incoming, response, record);
  };
  const server = createServer({ highWaterMark: 256 * 1024, keepAliveTimeout: 60_000, requestTimeout: 0, noDelay: true }, answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    name,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    violations,
    requests,
    faults,
    assertClean() {
      if (violations.length > 0) throw new Error(`${name} saw what is not as described:\n${violations.join('\n')}`);
    },
    peak: () => traffic.peak,
    limit: limiter.set,
    reset() {
      violations.length = 0;
      requests.length = 0;
      traffic.peak = traffic.now;
      faults.clear();
      limiter.set(undefined);
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
