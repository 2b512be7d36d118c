import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AppError, agentScopes, appError } from '@sheaf/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AgentProgram, Agents } from '#/identity/agents/service.ts';
import { networkOf } from '#/platform/http/network.ts';
import { signalOf } from '#/platform/http/serve.ts';
import type { Allowance, Throttle } from '#/platform/throttle.ts';
import { isPrivateWay } from '#/serving/programs/private-way.ts';
import type { Mcp } from './mcp.ts';

interface Deps {
  readonly mcp: Mcp;
  readonly agents: Pick<Agents, 'find'>;
  readonly throttle: Pick<Throttle, 'count'>;
  readonly issuer: string;
  readonly resource: string;
}

/** Limits of one agent's requests, of its tool calls (a request may hold a hundred messages), and of one network's wrong tokens. */
const requests: Allowance = { tries: 300, seconds: 60 };
const calls: Allowance = { tries: 300, seconds: 60 };
const wrongTokens: Allowance = { tries: 100, seconds: 900 };
/** Headers that the transport reads: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http */
const passedOn = /^(accept|content-type|mcp-.*|last-event-id)$/;

/** The MCP endpoint: streamable HTTP, for agents with an access token. */
export function mcpRoutes(app: FastifyInstance, { mcp, agents, throttle, issuer, resource }: Deps): void {
  const closing = new AbortController();
  async function agentOf(request: FastifyRequest): Promise<AgentProgram> {
    const [, token] = /^Bearer +([\w.~+/-]+=*)$/i.exec(request.headers.authorization ?? '') ?? [];
    const agent = token === undefined ? undefined : await agents.find(token, resource);
    if (agent) return agent;
    if (token === undefined) throw new Unauthorized('');
    await throttle.count(`agent tokens of ${networkOf(request.ip)}`, wrongTokens);
    throw new Unauthorized(', error="invalid_token", error_description="the token is unknown, has expired or was revoked"');
  }

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    // A page of another site must not use this endpoint through somebody's browser.
    const { origin } = request.headers;
    if (origin !== undefined && origin !== issuer) return reply.code(403).send();
    if (!isPrivateWay(request)) throw appError('HTTPS_NEEDED', {});
    reply.header('cache-control', 'no-store');
    const agent = await agentOf(request);
    if (request.method !== 'POST') return reply.code(405).header('allow', 'POST').send();
    await throttle.count(`agent ${agent.agentId}`, requests);
    const admit = (): Promise<void> => throttle.count(`calls of agent ${agent.agentId}`, calls);
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (passedOn.test(name) && typeof value === 'string') headers.set(name, value);
    const asked = new Request(resource, { method: 'POST', headers, body: typeof request.body === 'string' ? request.body : '' });
    const signal = AbortSignal.any([signalOf(reply), agent.ended, closing.signal]);
    const answer = await mcp.answer(asked, agent, { signal, admit });
    reply.code(answer.status).headers(Object.fromEntries(answer.headers));
    return reply.send(answer.body ? Readable.fromWeb(answer.body as ReadableStream<Uint8Array>) : '');
  }

  app.addHook('preClose', async () => closing.abort());

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The transport parses the text itself and answers what is wrong with it.
    scope.addContentTypeParser('*', { parseAs: 'string' }, async (_request: unknown, body: string | Buffer) => body.toString());
    scope.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/mcp',
      async handler(request, reply) {
        try {
          return await serve(request, reply);
        } catch (error) {
          if (error instanceof Unauthorized) return reply.code(401).header('www-authenticate', challenge(error)).send();
          if (error instanceof AppError && error.status === 429) reply.header('retry-after', error.details['seconds'] ?? '60');
          throw error;
        }
      },
    });
  });

  /** RFC 6750, section 3, and RFC 9728, section 5.1. */
  const challenge = ({ details }: Unauthorized): string =>
    `Bearer resource_metadata="${issuer}/.well-known/oauth-protected-resource/mcp", scope="${Object.values(agentScopes).join(' ')}"${details}`;
}

class Unauthorized extends Error {
  readonly details: string;
  constructor(details: string) {
    super('no agent');
    this.details = details;
  }
}
