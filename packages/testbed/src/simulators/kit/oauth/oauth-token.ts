import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Reply } from '../reply.ts';
import type { Handler, SimulatedRequest } from '../request.ts';
import type { Code, OAuthState } from './oauth-options.ts';
import type { Issued, RejectedRefresh, Tokens } from './oauth-tokens.ts';

class TokenError extends Error {
  readonly error: string;
  constructor(error: string, why: string) {
    super(why);
    this.error = error;
  }
}

/** Error that a custom grant throws to refuse: an error code of RFC 6749 and a description. */
export const tokenError = (error: string, why: string): Error => new TokenError(error, why);

/** Settings and statistics of the token endpoint. */
export interface TokenManners {
  refuses: boolean;
  /** Milliseconds. */
  slow: number;
  held: Promise<unknown>;
  refreshes: number;
  refused: number;
}

/** The token endpoint of RFC 6749, 4.1.3 and 6. */
export function createTokenEndpoint({ options, codes, now }: OAuthState, tokens: Tokens, manners: TokenManners): Handler {
  const { client, clientAuth = ['body'], scopeSeparator = ' ' } = options;

  function readClient(request: SimulatedRequest, fields: URLSearchParams): { readonly id: string | null; readonly secret: string | null } {
    const basic = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (basic !== undefined && clientAuth.includes('basic')) {
      const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':').map(decodeURIComponent);
      return { id, secret };
    }
    return { id: fields.get('client_id'), secret: clientAuth.includes('body') ? fields.get('client_secret') : null };
  }

  function exchange(fields: URLSearchParams, hasSecret: boolean): Issued {
    const code = codes.get(fields.get('code') ?? '');
    if (!code) throw tokenError('invalid_grant', 'The code is not known.');
    if (code.issued) {
      tokens.revoke(code.issued.accessToken);
      throw tokenError('invalid_grant', 'The code was used already.');
    }
    if (code.until <= now()) throw tokenError('invalid_grant', 'The code has expired.');
    if (fields.get('redirect_uri') !== code.redirectUri) throw tokenError('invalid_grant', 'The redirect address is another one.');
    if (code.challenge !== undefined && !isProof(fields.get('code_verifier'), code))
      throw tokenError('invalid_grant', 'The verifier is wrong.');
    if (!hasSecret && code.challenge === undefined) throw tokenError('invalid_client', 'The secret is missing.');
    code.issued = tokens.issue(code.grant);
    return code.issued;
  }

  function refresh(fields: URLSearchParams): Issued {
    const token = fields.get('refresh_token') ?? '';
    const scopes = fields.get('scope')?.split(scopeSeparator);
    const wider = scopes?.find((scope) => !tokens.scopesOf(token).includes(scope));
    if (wider !== undefined) throw tokenError('invalid_scope', `The scope ${wider} was not granted.`);
    const issued = manners.refuses ? 'revoked' : tokens.refresh(token, scopes);
    if (typeof issued === 'string') {
      manners.refused += 1;
      throw tokenError('invalid_grant', refreshTexts[issued]);
    }
    manners.refreshes += 1;
    return issued;
  }

  function redeem(request: SimulatedRequest): Issued {
    const fields = fieldsOf(request);
    const grantType = fields.get('grant_type') ?? 'authorization_code';
    const own = options.grants?.[grantType];
    if (own) {
      const { seconds, ...grant } = own(fields);
      return tokens.issue(grant, seconds);
    }
    const { id, secret } = readClient(request, fields);
    const hasSecret = secret === client.secret;
    const mayLackIt = options.publicClient === true && secret === null;
    if (id !== client.id || (!hasSecret && !mayLackIt))
      throw tokenError('invalid_client', 'The client is not known, or its secret is wrong.');
    if (grantType === 'authorization_code') return exchange(fields, hasSecret);
    if (grantType === 'refresh_token') return refresh(fields);
    throw tokenError('unsupported_grant_type', 'The grant type is not known.');
  }

  return async (request) => {
    let reply: Reply;
    try {
      const issued = redeem(request);
      const standard = toAnswer(issued, scopeSeparator);
      reply = { json: options.answer?.(standard, issued) ?? standard, headers: { 'cache-control': 'no-store' } };
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      reply = options.refuse?.(error.error, error.message) ?? standardRefusal(error.error, error.message);
    }
    if (manners.slow > 0) await wait(manners.slow);
    await manners.held;
    return reply;
  };
}

const refreshTexts: Readonly<Record<RejectedRefresh, string>> = {
  unknown: 'The refresh token is not known.',
  expired: 'The refresh token has expired.',
  used: 'The refresh token was used already.',
  revoked: 'The refresh token was revoked.',
};

/** RFC 7636, 4.6. */
function isProof(verifier: string | null, { challenge, method }: Code): boolean {
  if (verifier === null || !/^[\w.~-]{43,128}$/.test(verifier)) return false;
  return challenge === (method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier);
}

/** Returns the fields of a token request: a form, JSON, or the query of a GET endpoint. */
export function fieldsOf(request: SimulatedRequest): URLSearchParams {
  const json = request.json();
  const named = typeof json === 'object' && json !== null ? Object.entries(json).map(([name, value]) => [name, String(value)]) : [];
  return new URLSearchParams([...request.query, ...request.form, ...named]);
}

/** RFC 6749, 5.1. */
function toAnswer({ accessToken, refreshToken, expiresIn, scopes }: Issued, separator: string): Readonly<Record<string, unknown>> {
  return {
    access_token: accessToken,
    token_type: 'bearer',
    ...(expiresIn === undefined ? {} : { expires_in: expiresIn }),
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    ...(scopes.length === 0 ? {} : { scope: scopes.join(separator) }),
  };
}

const standardRefusal = (error: string, why: string): Reply => ({
  status: error === 'invalid_client' ? 401 : 400,
  json: { error, error_description: why },
});
