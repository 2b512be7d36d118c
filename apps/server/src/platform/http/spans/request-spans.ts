import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { routeOf } from '#/platform/http/call-table.ts';
import { RequestLog } from '#/platform/http/request-log.ts';
import type { Span, Tracing } from '#/platform/tracing/tracing.ts';
import { createPeers } from './peers.ts';

/**
 * A span for each request, which covers all that its handlers start: named by method and route's pattern, with the request's id. The request's log has the
 * id of the trace. The header `traceparent` is accepted from trusted proxies only, like X-Forwarded-For: others could put their requests into traces of
 * their choice. Must be called before anything else that answers requests.
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing, trustedProxies: readonly string[]): void {
  const isTrusted = createPeers(trustedProxies);
  const spans = new WeakMap<FastifyRequest, Span>();

  app.addHook('onRequest', (request, reply, done) => {
    const { method, id, headers, socket } = request;
    const route = routeOf(request) ?? 'none';
    const { traceparent } = headers;
    const span = tracing.begin({
      subject: 'request',
      name: `${method} ${route}`,
      facts: { 'http.request.method': method, 'http.route': route },
      own: { 'sheaf.request.id': id },
      isRoot: true,
      ...(typeof traceparent === 'string' && isTrusted(socket.remoteAddress) && { traceparent }),
    });
    spans.set(request, span);
    if (request.log instanceof RequestLog) request.log.bind({ traceId: span.traceId });
    // On `close`, because it also comes for aborted requests and for handlers that write the answer themselves.
    reply.raw.once('close', () => endOf(span, reply, reply.raw.writableFinished));
    // Fastify keeps this context while it reads the body.
    span.within(done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    if (span) endOf(span, reply, true);
    done();
  });
}

function endOf(span: Span, { raw }: FastifyReply, isWhole: boolean): void {
  const facts = raw.headersSent ? { 'http.response.status_code': raw.statusCode } : {};
  span.end({ facts, ...(!isWhole && { own: { 'error.type': 'aborted' } }), hasFailed: isWhole && raw.statusCode >= 500 });
}
