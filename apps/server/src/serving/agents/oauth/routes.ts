import { AppError, agentConsentPath, agentScopes } from '@sheaf/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Agents, type Tokens, accessLasts } from '#/identity/agents/service.ts';
import { networkOf } from '#/platform/http/network.ts';
import type { Allowance, Throttle } from '#/platform/throttle.ts';
import { isPrivateWay } from '#/serving/programs/private-way.ts';
import { checkResource } from './authorization.ts';
import type { Clients } from './clients.ts';
import { OAuthError } from './oauth-error.ts';
import { needed, parametersOf } from './parameters.ts';

interface Deps {
  readonly agents: Agents;
  readonly clients: Clients;
  readonly throttle: Pick<Throttle, 'count'>;
  readonly issuer: string;
  /** The address of the MCP server, for which tokens are made. */
  readonly resource: string;
}

/** Limit of registrations and refused tokens of a network. */
const registrations: Allowance = { tries: 30, seconds: 3600 };
const refusals: Allowance = { tries: 60, seconds: 900 };
const offered = Object.values(agentScopes);

/** The endpoints of OAuth 2.1 for agents. A person decides on a page of the web app. */
export function oauthRoutes(app: FastifyInstance, { agents, clients, throttle, issuer, resource }: Deps): void {
  /** RFC 9728, section 3.1: also with the path of the resource. */
  for (const url of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])
    app.get(url, async () => ({
      resource,
      authorization_servers: [issuer],
      scopes_supported: offered,
      bearer_methods_supported: ['header'],
      resource_name: 'Sheaf',
    }));

  /** RFC 8414. */
  app.get('/.well-known/oauth-authorization-server', async () => ({
    issuer,
    authorization_endpoint: issuer + agentConsentPath,
    token_endpoint: `${issuer}/agents/token`,
    registration_endpoint: `${issuer}/agents/register`,
    revocation_endpoint: `${issuer}/agents/revoke`,
    scopes_supported: offered,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  }));

  app.post('/agents/register', (request, reply) =>
    answering(request, reply, async () => {
      await throttle.count(`agent registrations from ${networkOf(request.ip)}`, registrations);
      const made = await clients.register(request.body);
      reply.code(201);
      return made;
    }),
  );

  app.post('/agents/token', (request, reply) =>
    answering(request, reply, async () => {
      const parameters = formOf(request);
      const clientId = needed(parameters, 'client_id');
      const grantType = needed(parameters, 'grant_type');
      checkResource(parameters.get('resource'), resource);
      if (grantType !== 'authorization_code' && grantType !== 'refresh_token')
        throw new OAuthError('unsupported_grant_type', 'offered are authorization_code and refresh_token');
      const tokens =
        grantType === 'refresh_token'
          ? await agents.refresh(needed(parameters, 'refresh_token'), clientId)
          : await agents.exchange(needed(parameters, 'code'), {
              clientId,
              redirectUri: needed(parameters, 'redirect_uri'),
              verifier: verifierOf(needed(parameters, 'code_verifier')),
            });
      if (tokens) return tokenAnswer(tokens);
      await throttle.count(`agent tokens refused to ${networkOf(request.ip)}`, refusals);
      throw new OAuthError('invalid_grant', 'this has been used, revoked or has expired, or belongs to another request');
    }),
  );

  /** RFC 7009: answers the same whether or not there was such a token. */
  app.post('/agents/revoke', (request, reply) =>
    answering(request, reply, async () => {
      const parameters = formOf(request);
      await agents.revokeToken(needed(parameters, 'token'), needed(parameters, 'client_id'));
      return {};
    }),
  );
}

const tokenAnswer = ({ accessToken, refreshToken, scope }: Tokens) => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: accessLasts,
  refresh_token: refreshToken,
  scope,
});

/** Forms only: RFC 6749, section 3.2. */
export function formOf({ headers, body }: FastifyRequest): ReturnType<typeof parametersOf> {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '');
  if (!isForm || typeof body !== 'object' || body === null) throw new OAuthError('invalid_request', 'the parameters have to be a form');
  return parametersOf(Object.entries(body));
}

/** RFC 7636, section 4.1. */
function verifierOf(text: string): string {
  if (!/^[\w.~-]{43,128}$/.test(text)) throw new OAuthError('invalid_request', 'code_verifier is none');
  return text;
}

/** Answers in JSON that nobody may store; a refusal in the words of RFC 6749, section 5.2. */
export async function answering(request: FastifyRequest, reply: FastifyReply, answer: () => Promise<object>): Promise<object> {
  reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
  try {
    if (!isPrivateWay(request)) throw new OAuthError('invalid_request', 'tokens are sent over https only');
    return await answer();
  } catch (error) {
    if (error instanceof OAuthError) {
      reply.code(error.code === 'invalid_client' ? 401 : 400);
      return { error: error.code, error_description: error.message };
    }
    if (!(error instanceof AppError) || error.status !== 429) throw error;
    reply.code(429).header('retry-after', error.details['seconds'] ?? '60');
    return { error: 'temporarily_unavailable', error_description: error.message };
  }
}
