import { type AgentRequest, type AppPasswordRights, agentScopes, appError } from '@sheaf/contract';
import { type Client, type Clients, isLoopback, mayReturnTo } from './clients.ts';
import { OAuthError } from './oauth-error.ts';
import { type Parameters, needed, parametersOf } from './parameters.ts';

/** What a program asks of a person: RFC 6749, section 4.1.1, with RFC 7636 and RFC 8707. */
interface Wish {
  readonly client: Client;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly codeChallenge: string;
  /** The widest rights that it asks for; the person may grant less. */
  readonly rights: AppPasswordRights;
}

/** A request that is refused, and the address at which the program gets the error. */
interface Refusal {
  readonly refusedTo: string;
}

interface Deps {
  readonly clients: Clients;
  readonly issuer: string;
  readonly resource: string;
}

export type Authorization = ReturnType<typeof createAuthorization>;

/** Scopes that say nothing about files. */
const otherScopes: ReadonlySet<string> = new Set(['offline_access']);

/** Reads authorization requests of programs. */
export function createAuthorization({ clients, issuer, resource }: Deps) {
  /** The address that answers the program: RFC 6749, section 4.1.2, with the issuer of RFC 9207. */
  function returnTo(redirectUri: string, state: string | undefined, answer: Readonly<Record<string, string>>): string {
    const uri = new URL(redirectUri);
    for (const [name, value] of Object.entries({ ...answer, ...(state !== undefined && { state }), iss: issuer }))
      uri.searchParams.append(name, value);
    return uri.href;
  }

  function checked(parameters: Parameters, client: Client, redirectUri: string): Wish {
    if (needed(parameters, 'response_type') !== 'code') throw new OAuthError('unsupported_response_type', 'only "code" is offered');
    const codeChallenge = needed(parameters, 'code_challenge');
    if (parameters.get('code_challenge_method') !== 'S256') throw new OAuthError('invalid_request', 'code_challenge_method has to be S256');
    if (!/^[\w-]{43}$/.test(codeChallenge)) throw new OAuthError('invalid_request', 'code_challenge is no SHA-256');
    checkResource(parameters.get('resource'), resource);
    return { client, redirectUri, codeChallenge, state: parameters.get('state'), rights: rightsOf(parameters.get('scope')) };
  }

  /**
   * What the query asks for, or the address that reports the mistake to the program. Rejects with AGENT_REFUSED where there is none: the browser must not be
   * sent to an address that nobody has registered.
   */
  async function read(query: string, signal: AbortSignal): Promise<Wish | Refusal> {
    const all = new URLSearchParams(query);
    const [clientId, ...furtherIds] = all.getAll('client_id');
    const [redirectUri, ...furtherUris] = all.getAll('redirect_uri');
    if (clientId === undefined || redirectUri === undefined || furtherIds.length > 0 || furtherUris.length > 0)
      throw appError('AGENT_REFUSED', { problem: 'it does not tell who it is and where to go back to' });
    const client = await clients.find(clientId, signal);
    if (!mayReturnTo(client, redirectUri))
      throw appError('AGENT_REFUSED', { problem: 'it wants to go back to an address that is not its own' });
    try {
      return checked(parametersOf(all), client, redirectUri);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const [state] = all.getAll('state');
      return { refusedTo: returnTo(redirectUri, state, { error: error.code, error_description: error.message }) };
    }
  }

  /** What a valid query asks for; rejects with AGENT_REFUSED for any mistake in it. */
  async function wished(query: string, signal: AbortSignal): Promise<Wish> {
    const wish = await read(query, signal);
    if ('refusedTo' in wish) throw appError('AGENT_REFUSED', { problem: 'what it asks for does not exist' });
    return wish;
  }

  return {
    /** The request as a person sees it. */
    async look(query: string, signal: AbortSignal): Promise<{ request?: AgentRequest; refusedTo?: string }> {
      const wish = await read(query, signal);
      if ('refusedTo' in wish) return wish;
      const { client, redirectUri, rights } = wish;
      const uri = new URL(redirectUri);
      return {
        request: {
          name: client.name,
          ...(client.home !== undefined && { home: client.home }),
          returnsTo: uri.host,
          isLocal: isLoopback(uri),
          rights,
        },
      };
    },
    wished,
    /** The address at which the program gets its code. */
    granted: ({ redirectUri, state }: Wish, code: string): string => returnTo(redirectUri, state, { code }),
    denied: ({ redirectUri, state }: Wish): string =>
      returnTo(redirectUri, state, { error: 'access_denied', error_description: 'the person refused' }),
  };
}

/** Throws `invalid_target` for another resource than this one. A request that names none means this one, as there is no other. */
export function checkResource(asked: string | undefined, resource: string): void {
  if (asked === undefined) return;
  const normal = URL.canParse(asked) ? new URL(asked).href.replace(/\/$/, '') : '';
  if (normal !== resource) throw new OAuthError('invalid_target', `this is the authorization server of ${resource} only`);
}

function rightsOf(scope: string | undefined): AppPasswordRights {
  if (scope === undefined) return 'write';
  const asked = scope.split(' ').filter((one) => one !== '');
  const isKnown = (one: string): boolean => one === agentScopes.read || one === agentScopes.write || otherScopes.has(one);
  if (!asked.every(isKnown)) throw new OAuthError('invalid_scope', `offered are ${agentScopes.read} and ${agentScopes.write}`);
  return asked.includes(agentScopes.write) || !asked.includes(agentScopes.read) ? 'write' : 'read';
}
