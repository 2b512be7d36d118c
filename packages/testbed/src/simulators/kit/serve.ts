import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Readable, Transform, pipeline } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { type Body, BodyError, checkBody, readBody } from './body.ts';
import { type Match, canonicalPath } from './description/operations.ts';
import { checkParameters } from './description/parameters.ts';
import type { Fault } from './faults.ts';
import { type Host, type House, type Problem, pathOf } from './host.ts';
import type { Identity } from './identity.ts';
import { type Reply, Refusal, checkReply, headersOf } from './reply.ts';
import { toRequest } from './request.ts';
import { send } from './send.ts';

interface Served {
  operation: string | undefined;
  status: number | undefined;
}

interface Exchange {
  readonly house: House;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly record: Served;
  readonly line: string;
  readonly query: URLSearchParams;
}

/** Carries a problem to the response. */
class Stop extends Error {
  readonly problem: Problem;
  readonly isViolation: boolean;
  constructor(problem: Problem, isViolation: boolean) {
    super(problem.kind);
    this.problem = problem;
    this.isViolation = isViolation;
  }
}

/** Serves one request completely. Never rejects: failures are answered or recorded, or the client has disconnected. */
export async function serve(house: House, incoming: IncomingMessage, response: ServerResponse, record: Served): Promise<void> {
  const line = `${incoming.method} ${pathOf(incoming)}`;
  const query = new URLSearchParams(incoming.url?.split('?').slice(1).join('?'));
  const exchange: Exchange = { house, incoming, response, record, line, query };
  try {
    const host = hostFor(house, incoming);
    const match = find(exchange, host);
    record.operation = match.operation.key;
    const fault = house.takeFault(match.operation.key, `${incoming.method} ${incoming.url}`);
    if (fault?.kind === 'hang' && fault.afterBytes === undefined) return;
    if (fault?.kind === 'slow') await wait(fault.ms);
    if (fault?.kind === 'held') await fault.until;
    const reply = await answer(exchange, host, match, fault);
    if (response.destroyed) return void reply.stream?.destroy();
    const headers = headersOf(reply, match.operation, host.mount.description);
    record.status = reply.status ?? (reply.redirect === undefined ? 200 : 302);
    await send(response, reply, headers, fault);
  } catch (error) {
    await explain(exchange, error);
  }
  // A connection is reused only when the whole request was read.
  if (!incoming.readableEnded && !incoming.destroyed) incoming.resume();
}

function hostFor(house: House, incoming: IncomingMessage): Host {
  const path = pathOf(incoming);
  const host = house.hosts.find(({ mount: { at } }) => path === at || path.startsWith(at.endsWith('/') ? at : `${at}/`));
  if (!host) throw new Stop({ kind: 'unknownOperation', why: 'no host of the provider has this address' }, true);
  return host;
}

function find({ incoming, query }: Exchange, { mount, operations }: Host): Match {
  let path: string;
  try {
    path = canonicalPath(pathOf(incoming).slice(mount.at.length) || '/');
  } catch (error) {
    if (error instanceof URIError) throw new Stop({ kind: 'badRequest', why: 'the path is not UTF-8' }, true);
    throw error;
  }
  const wire = mount.rewrite?.(path) ?? path;
  const match = operations.find(incoming.method ?? 'GET', wire, query);
  if (match) return match;
  const why = operations.knowsPath(wire) ? 'the method is not described for this path' : 'the operation is not described';
  throw new Stop({ kind: 'unknownOperation', why }, true);
}

/** Returns the validated response. A problem of the client is a response too. */
async function answer(exchange: Exchange, host: Host, match: Match, fault: Fault | undefined): Promise<Reply> {
  const { house, line } = exchange;
  if (fault?.kind === 'reply') return fault.reply;
  let reply: Reply;
  try {
    reply = await work(exchange, host, match, fault);
  } catch (error) {
    if (error instanceof Refusal) reply = error.reply;
    else if (error instanceof Stop && error.problem.kind !== 'broken') {
      reply = say(house, error.problem);
      if (error.isViolation) {
        house.violate(line, 'why' in error.problem ? error.problem.why : error.problem.kind);
        return reply;
      }
    } else throw error;
  }
  const { description, alsoStatuses = {} } = host.mount;
  const wrong = checkReply(reply, { operation: match.operation, description, schemas: host.schemas, alsoStatuses });
  if (!wrong) return reply;
  reply.stream?.destroy();
  throw new Stop({ kind: 'broken', why: `its answer with status ${reply.status ?? 200} is not as described: ${wrong}` }, true);
}

async function work(exchange: Exchange, host: Host, match: Match, fault: Fault | undefined): Promise<Reply> {
  const { house, incoming, response, line, query } = exchange;
  const { key } = match.operation;
  const retryAfter = fault?.kind === 'rateLimit' ? fault.retryAfter : house.admit();
  if (retryAfter !== undefined) throw new Stop({ kind: 'rateLimited', retryAfter }, false);
  const identity = admit(exchange, host, key);
  const handler = host.handlers.get(key);
  if (!handler) throw new Stop({ kind: 'notSimulated', why: 'the simulator does not have this operation' }, true);
  const goes = new AbortController();
  response.once('close', () => goes.abort());
  const stream: Readable = fault?.kind === 'cutUpload' ? cutting(incoming, fault.afterBytes) : incoming;
  const body = await check(exchange, host, match, stream);
  const [, path = ''] = line.split(' ');
  const { params } = match;
  return await handler(toRequest({ incoming, path, operation: key, params, query, identity, body, stream, signal: goes.signal }));
}

/** Authenticates the request and checks the token's scopes. */
function admit({ house, incoming }: Exchange, { open, scopes }: Host, key: string): Identity | undefined {
  if (open === 'all' || open.has(key)) return undefined;
  const identity = house.authenticate?.(incoming) ?? 'missing';
  if (typeof identity === 'string') throw new Stop({ kind: 'unauthorized', reason: identity }, false);
  const needs = scopes.get(key) ?? scopes.get('*') ?? [];
  if (needs.length > 0 && !needs.some((scope) => identity.scopes.includes(scope))) throw new Stop({ kind: 'forbidden', needs }, false);
  return identity;
}

/** Reads the body and validates everything; under several keys, one match is enough. */
async function check(exchange: Exchange, { mount, schemas }: Host, match: Match, stream: Readable): Promise<Body> {
  const { house, incoming, line, query } = exchange;
  const { operation, params } = match;
  let body: Body;
  try {
    body = await readBody(incoming, stream, operation, mount.description, (why) => house.violate(line, why));
  } catch (error) {
    if (error instanceof BodyError) throw new Stop({ kind: 'badRequest', why: error.message }, true);
    throw error;
  }
  const wrongs = operation.variants.map(
    (variant) =>
      checkParameters(variant, { params, query, headers: incoming.headers }, schemas, mount.alsoQuery ?? []) ??
      checkBody(incoming, body, variant, mount.description, schemas),
  );
  const [why] = wrongs;
  if (why !== undefined && !wrongs.includes(undefined)) throw new Stop({ kind: 'badRequest', why }, true);
  return body;
}

function cutting(incoming: IncomingMessage, afterBytes: number): Readable {
  let left = afterBytes;
  const cut = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      if (left > 0) return done(null, chunk);
      incoming.socket.destroy();
      done(new Error('the upload was cut as told'));
    },
  });
  // Errors reach the reader of the result.
  return pipeline(incoming, cut, () => undefined);
}

function say(house: House, problem: Problem): Reply {
  const reply = house.refusal(problem);
  if (problem.kind !== 'rateLimited') return reply;
  return { ...reply, headers: { 'retry-after': String(problem.retryAfter), ...reply.headers } };
}

/** Responds to a failure before the response has started. */
async function explain({ house, incoming, response, record, line }: Exchange, error: unknown): Promise<void> {
  // The client has disconnected, or a fault broke the connection: no response is possible.
  if (response.destroyed || (incoming.destroyed && !incoming.complete)) return void response.destroy();
  const problem: Problem =
    error instanceof Stop
      ? error.problem
      : { kind: 'broken', why: `the simulator failed: ${error instanceof Error ? error.message : String(error)}` };
  house.violate(line, 'why' in problem ? problem.why : problem.kind);
  if (response.headersSent) return void response.destroy();
  const reply = say(house, problem);
  record.status = reply.status;
  await send(response, reply, headersOf(reply, undefined, undefined), undefined);
}
