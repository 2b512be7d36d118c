import { timingSafeEqual } from 'node:crypto';
import { type Call, type SessionRule, type Static, type TObject, type TSchema, answerText, appError } from '@sheaf/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteHandlerMethod } from 'fastify';
import { addCall } from './call-table.ts';
import { inputReader } from './input.ts';
import { type Caller, callerOf, isSameOrigin } from './session.ts';

/** Context of a call's handler. */
export interface CallContext<Input, Rule extends SessionRule> {
  readonly input: Input;
  /** The caller's account; undefined for a visitor where no session is required. */
  readonly userId: Rule extends 'required' ? string : string | undefined;
  readonly session: Rule extends 'required' ? Caller : Caller | undefined;
  /** Aborts when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Answers longer than this, in characters, are encoded to bytes before sending. */
const longText = 16 * 1024;

/**
 * Data of the answer; or the whole answer, encoded (so that a repeated answer is encoded once); or the reply when the handler has answered itself (a
 * download).
 */
type Answer<R extends TSchema> = Static<R> | Buffer | FastifyReply;
type Handler<I extends TObject, R extends TSchema, S extends SessionRule> = (
  context: CallContext<Static<I>, S>,
) => Answer<R> | Promise<Answer<R>>;

/**
 * Registers a call of the contract: reads its input, enforces its session and rTag rules, and answers `{"data": ...}`. The handler throws AppError
 * for errors shown to the user. A PUT's body stays unread in `request.raw`.
 */
export function serve<I extends TObject, R extends TSchema, S extends SessionRule>(
  app: FastifyInstance,
  call: Call<I, R, S>,
  handler: Handler<I, R, S>,
): void {
  const read = inputReader(call.input);
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const session = call.session === 'none' ? undefined : await callerOf(request);
    if (call.session === 'required' && session === undefined) throw appError('INVALID_SESSION', {});
    if (call.method !== 'GET') checkOrigin(call.rTag, request, session);
    const input = read(call.method === 'POST' ? (request.body ?? {}) : request.query);
    reply.header('cache-control', 'no-store');
    // The rule decides whether there is a session; CallContext says so per rule, which TypeScript cannot infer here.
    const context = { input, userId: session?.userId, session, signal: signalOf(reply), request, reply } as CallContext<Static<I>, S>;
    const result = await handler(context);
    // An async handler returns undefined for a reply, once that has ended or its client has left.
    if (result === reply || reply.sent || reply.raw.headersSent) return reply;
    reply.type('application/json; charset=utf-8');
    if (Buffer.isBuffer(result)) return reply.send(result);
    const text = answerText(JSON.stringify(result));
    // Node takes three times as much memory for text that it encodes while writing to the socket.
    return reply.send(text.length > longText ? Buffer.from(text) : text);
  };
  if (call.method === 'PUT') serveUnread(app, 'PUT', call.path, answer);
  else addCall(app, call.method, call.path, answer);
}

/** Context of a handler that reads the body itself. */
export type StreamContext<Rule extends 'required' | 'none' = 'required' | 'none'> = Omit<CallContext<unknown, Rule>, 'input' | 'session'>;

interface StreamRoute<Rule> {
  readonly method: 'HEAD' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly session: Rule;
}

/**
 * Registers a handler outside the contract's calls, such as one of another protocol. Origin, session and rTag rules are those of a call that changes
 * something, but for HEAD. The body stays unread in `request.raw`.
 */
export function serveStream<Rule extends 'required' | 'none'>(
  app: FastifyInstance,
  { method, url, session: rule }: StreamRoute<Rule>,
  handler: (context: StreamContext<Rule>) => Promise<FastifyReply>,
): void {
  serveUnread(app, method, url, async (request, reply) => {
    const session = rule === 'none' ? undefined : await callerOf(request);
    if (rule === 'required' && session === undefined) throw appError('INVALID_SESSION', {});
    if (method !== 'HEAD') checkOrigin(rule, request, session);
    reply.header('cache-control', 'no-store');
    // The rule decides whether there is a session; StreamContext says so per rule, which TypeScript cannot infer here.
    await handler({ userId: session?.userId, signal: signalOf(reply), request, reply } as StreamContext<Rule>);
    return reply;
  });
}

/**
 * Aborts when the connection closes before the response has ended. Not Fastify's request.signal: it follows the request, which also closes once its
 * body has been read, so it would cut streamed uploads at their end and miss clients that leave later.
 */
export function signalOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** Routes of this scope leave the body unread, whatever its type and size, to stream it. */
function serveUnread(app: FastifyInstance, method: HTTPMethods, url: string, handler: RouteHandlerMethod): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', async () => undefined);
    scope.route({ method, url, handler });
  });
}

/** Refuses, with 104, a write that another site may have caused the browser to send. */
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

/** Compares bytes, not characters: the comparison in constant time throws for different byte lengths. */
function equal(sent: string, known: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(known)];
  return a.length === b.length && timingSafeEqual(a, b);
}
