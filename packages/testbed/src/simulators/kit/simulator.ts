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
  /** Authenticates a request by its bearer token and whatever else the provider checks: usually `oauth.authenticate`. */
  readonly authenticate?: (incoming: IncomingMessage) => Identity | RejectedToken;
  /** Converts a problem to the provider's error format. */
  readonly refusal: (problem: Problem) => Reply;
}

export interface RequestRecord {
  readonly method: string;
  /** Without the query, which may contain secrets. */
  readonly path: string;
  readonly operation: string | undefined;
  /** Undefined until the response starts. */
  readonly status: number | undefined;
}

export interface Simulator {
  readonly name: string;
  /** `http://127.0.0.1:port`, without a trailing slash. */
  readonly url: string;
  /** Deviations from the description: requests that the provider would refuse, and responses that it would not send. */
  readonly violations: readonly string[];
  /** Throws with all violations, if there are any. */
  assertClean(): void;
  /** The last thousand requests. */
  readonly requests: readonly RequestRecord[];
  /** Maximum number of concurrent requests. */
  peak(): number;
  readonly faults: Faults;
  /** Sets or removes a rate limit. */
  limit(limit: Limit | undefined): void;
  /** Clears violations, requests, faults and limits; keeps the provider's own state. */
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
