import { createHmac, randomBytes } from 'node:crypto';

export interface Credentials {
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly token: string;
  readonly tokenSecret: string;
}

/** Percent-encodes everything except RFC 3986's unreserved characters (RFC 5849, section 3.6). */
export const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** The Authorization header of a request: OAuth 1.0a with HMAC-SHA1 (RFC 5849, section 3.4). `url` has no query. */
export function authorizationOf(
  method: string,
  url: string,
  query: Readonly<Record<string, string>>,
  { consumerKey, consumerSecret, token, tokenSecret }: Credentials,
): string {
  const own: Record<string, string> = {
    oauth_consumer_key: consumerKey,
    oauth_nonce: randomBytes(16).toString('hex'),
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(Math.floor(Date.now() / 1000)),
    oauth_token: token,
    oauth_version: '1.0',
  };
  const parameters = Object.entries({ ...own, ...query })
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const base = [method, url, parameters].map(encode).join('&');
  const signature = createHmac('sha1', `${encode(consumerSecret)}&${encode(tokenSecret)}`)
    .update(base)
    .digest('base64');
  const header = Object.entries({ ...own, oauth_signature: signature }).map(([name, value]) => `${name}="${encode(value)}"`);
  return `OAuth ${header.join(', ')}`;
}
