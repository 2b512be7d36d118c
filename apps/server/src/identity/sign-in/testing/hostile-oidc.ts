import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Readonly<Record<string, unknown>>;

/** The documents of the provider. */
export type Document = '/.well-known/openid-configuration' | '/keys' | '/token' | '/userinfo';

/** Changes the ID token that the provider would give. */
export interface Lie {
  readonly claims?: Json;
  /** Claims that are left out. */
  readonly without?: readonly string[];
  readonly algorithm?: 'none' | 'HS256';
  /** Signs with a key that the provider does not publish. */
  readonly foreignKey?: boolean;
  /** Names another issuer in the discovery document. */
  readonly issuer?: string;
  /** Answers a request for a document in its own way. */
  readonly answer?: Partial<Readonly<Record<Document, (response: ServerResponse) => void>>>;
}

const part = (value: Json): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Starts an OpenID provider that lies as the test wants. `answer` is the redirect address at the client. */
export async function startHostileOidc(clientId: string) {
  const [own, foreign] = [generateKeyPairSync('rsa', { modulusLength: 2048 }), generateKeyPairSync('rsa', { modulusLength: 2048 })];
  let lie: Lie = {};
  let asked = new URLSearchParams();
  let issuer = '';
  const asks: string[] = [];

  const idToken = (): string => {
    const now = Math.floor(Date.now() / 1000);
    const honest = { iss: issuer, sub: 'mara', aud: clientId, nonce: asked.get('nonce'), iat: now, exp: now + 300 };
    return signed({ ...honest, email: 'mara@example.org', email_verified: true }, lie);
  };

  function signed(honest: Json, lie: Lie): string {
    const claims: Record<string, unknown> = { ...honest, ...lie.claims };
    const kept = Object.fromEntries(Object.entries(claims).filter(([name]) => !lie.without?.includes(name)));
    const text = `${part({ alg: lie.algorithm ?? 'RS256', kid: 'own' })}.${part(kept)}`;
    if (lie.algorithm === 'none') return `${text}.`;
    const { privateKey } = lie.foreignKey ? foreign : own;
    return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
  }

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', issuer);
    asks.push(pathname);
    const ownAnswer = lie.answer?.[pathname as Document];
    if (ownAnswer) {
      ownAnswer(response);
      return;
    }
    const documents: Readonly<Record<string, () => Json>> = {
      '/.well-known/openid-configuration': () => ({
        issuer: lie.issuer ?? issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      }),
      '/keys': () => ({ keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'own', use: 'sig', alg: 'RS256' }] }),
      '/userinfo': () => ({ sub: 'mara' }),
      '/token': () => ({ access_token: 'access', token_type: 'Bearer', expires_in: 300, id_token: idToken() }),
    };
    const document = documents[pathname];
    response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(document?.() ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    issuer,
    /** Paths that were asked for, in order. */
    asks,
    lie(next: Lie): void {
      lie = next;
    },
    /** A logout token with a lie. */
    logoutToken(about: Json, lie: Lie): string {
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      const honest = { iss: issuer, sub: 'mara', aud: clientId, iat: Math.floor(Date.now() / 1000), jti: randomUUID(), events };
      return signed({ ...honest, ...about }, lie);
    },
    /** Signs in at once: the address at the client that the provider redirects to. */
    answer(authorizationUrl: string): string {
      asked = new URL(authorizationUrl).searchParams;
      assert.equal(asked.get('code_challenge_method'), 'S256');
      const back = new URL(asked.get('redirect_uri') ?? '');
      back.searchParams.set('code', createHash('sha256').update(authorizationUrl).digest('hex'));
      back.searchParams.set('state', asked.get('state') ?? '');
      return back.href;
    },
    async stop(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
