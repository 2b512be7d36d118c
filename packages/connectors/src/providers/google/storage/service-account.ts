import { createSign } from 'node:crypto';
import type { Grant } from '../../../core/authorization.ts';
import type { Env, Tokens } from '../../../core/definition.ts';
import { postForm, readTokenAnswer, tokenJson } from '../../../kit/oauth/oauth.ts';
import { createTokens } from '../../../kit/oauth/tokens.ts';
import { googleTokenUrl } from '../apis/google-oauth.ts';
import { storageScope } from './authorization.ts';
import type { ServiceAccountKey } from './config.ts';

/** Lifetime of an assertion in seconds; Google's maximum is an hour. */
const assertionTime = 600;
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Requests access tokens with assertions signed by the key (RFC 7523):
 * https://developers.google.com/identity/protocols/oauth2/service-account#httprest. Rejects with `wrongKey` when Google refuses the key.
 */
export function serviceAccountTokens(key: ServiceAccountKey, { app, dialer }: Env): Tokens {
  const tokenUrl = app?.tokenUrl ?? googleTokenUrl;
  let held: Grant = { accessToken: '', expiresAt: 0 };

  const assertion = (): string => {
    const issued = Math.floor(Date.now() / 1000);
    const claims = { iss: key.email, scope: storageScope, aud: tokenUrl, iat: issued, exp: issued + assertionTime };
    const content = `${encoded({ alg: 'RS256', typ: 'JWT', kid: key.keyId })}.${encoded(claims)}`;
    return `${content}.${createSign('RSA-SHA256').update(content).sign(key.privateKey, 'base64url')}`;
  };

  return createTokens({
    load: () => Promise.resolve(held),
    async renew(_, signal) {
      const form = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: assertion() };
      const response = await postForm({ dialer }, tokenUrl, form, {}, signal);
      held = readTokenAnswer(await tokenJson(response, 'wrongKey')).grant;
      return held;
    },
  });
}
