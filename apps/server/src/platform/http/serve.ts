import { timingSafeEqual } from 'node:crypto';
import { type Call, type SessionRule, type Static, type TObject, type TSchema, answerText, appError } from '@sheaf/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { inputReader } from './input.ts';
import { type Caller, callerOf, isSameOrigin } from './session.ts';

/** What the handler of a call gets. */
export interface Ask<Input, Rule extends SessionRule> {
  readonly input: Input;
  /** Who asks; for calls that need no session undefined when nobody is signed in. */
  readonly userId: Rule extends 'required' ? string : string | undefined;
  readonly session: Rule extends 'required' ? Caller : Caller | undefined;
  /** Aborts when the client goes away or the server stops. */
  readonly signal: AbortSignal;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Answers longer than this, in characters, are encoded before they are sent. */
const longText = 16 * 1024;

/** Data of the answer; or all of the answer, encoded (whoever gives the same again encodes it once); or the reply when the handler has answered on its own (a download). */
type Answer<R extends TSchema> = Static<R> | Buffer | FastifyReply;
type Handler<I extends TObject, R extends TSchema, S extends SessionRule> = (ask: Ask<Static<I>, S>) => Answer<R> | Promise<Answer<R>>;

/**
 * Registers a call of the contract: reads its input, holds it to its session and rTag rules, and answers `{"data": ...}`. The handler
 * throws AppError for what the user is told. A PUT's body is left unread in `request.raw`.
 */
export function serve<I extends TObject, R extends TSchema, S extends SessionRule>(
  app: FastifyInstance,
  call: Call<I, R, S>,
  handler: Handler<I, R, S>,
): void {
  const read = inputReader(call.input);
  const answer: RouteHandlerMethod = async (request, reply) => {
    const session = call.session === 'none' ? undefined : await callerOf(request);
    if (call.session === 'required' && session === undefined) throw appError('INVALID_SESSION', {});
    if (call.method !== 'GET') checkOrigin(call.rTag, request, session);
    const input = read(call.method === 'POST' ? (request.body ?? {}) : request.query);
    reply.header('cache-control', 'no-store');
    // The rule decides whether there is a session, which the type of Ask says per rule and this line for all of them.
    const ask = { input, userId: session?.userId, session, signal: signalOf(reply), request, reply } as Ask<Static<I>, S>;
    const result = await handler(ask);
    // A reply is a promise of its own end, so a handler that is async gives undefined for it.
    if (result === reply || reply.sent) return reply;
    reply.type('application/json; charset=utf-8');
    if (Buffer.isBuffer(result)) return reply.send(result);
    const text = answerText(JSON.stringify(result));
    // Node takes three times as much memory for text that it encodes on its way into the socket.
    return reply.send(text.length > longText ? Buffer.from(text) : text);
  };
  if (call.method === 'PUT') serveUnread(app, call.path, answer);
  else app.route({ method: call.method, url: call.path, handler: answer });
}

/**
 * Aborts when the connection closes before the answer is out. Fastify's own request.signal listens to the request, which also closes
 * when its body has been read: it would cut every streamed upload at its end, and miss clients that leave after a form was read.
 */
function signalOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** Routes of this scope leave the body alone, whatever its type and size: it is streamed on. */
function serveUnread(app: FastifyInstance, url: string, handler: RouteHandlerMethod): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', async () => undefined);
    scope.route({ method: 'PUT', url, handler });
  });
}

/** Refuses, with 104, a write that another site may have made the browser send. */
function checkOrigin(rule: Call['rTag'], request: FastifyRequest, session: Caller | undefined): void {
  if (!isSameOrigin(request)) throw appError('INVALID_SESSION', {});
  if (rule === 'none' || session?.rTag === undefined) return;
  const sent = sentTag(request);
  if (sent === undefined ? rule === 'required' : !equal(sent, session.rTag)) throw appError('INVALID_SESSION', {});
}

function sentTag(request: FastifyRequest): string | undefined {
  const header = request.headers['x-rtag'];
  if (typeof header === 'string') return header;
  const body: unknown = request.body;
  const given: unknown = typeof body === 'object' && body !== null && 'rTag' in body ? body.rTag : undefined;
  return typeof given === 'string' ? given : undefined;
}

/** Compares bytes, not characters: a tag of as many characters may be longer, which the comparison in constant time throws for. */
function equal(sent: string, known: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(known)];
  return a.length === b.length && timingSafeEqual(a, b);
}
