import type { Readable } from 'node:stream';
import type { Static, TSchema } from 'typebox';
import { deadlines } from '../../core/deadlines.ts';
import type { Env } from '../../core/definition.ts';
import { ConnectorError } from '../../core/error.ts';
import { unlessAborted } from '../../kit/concurrency/unless-aborted.ts';
import { createHttp } from '../../kit/http/http-client.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { parseJson } from '../../kit/rest/json.ts';
import { AuthorizeAnswer, type UploadPlace } from './api.ts';
import type { B2Config } from './config.ts';
import { loginMeaning, readRefusal } from './errors.ts';

/** Result of a login; valid for at most a day. */
export interface Authorized {
  readonly accountId: string;
  readonly token: string;
  readonly apiUrl: URL;
  readonly downloadUrl: URL;
  readonly s3Endpoint: string;
  /** Minimum bytes of every part except the last. */
  readonly smallestPart: number;
  readonly capabilities: ReadonlySet<string>;
  /** The only buckets that the key may use; undefined: all buckets of the account. */
  readonly buckets: readonly { readonly id: string; readonly name: string | null }[] | undefined;
  /** The prefix of all file names that the key may use. */
  readonly namePrefix: string;
}

export interface B2Client {
  authorized(signal: AbortSignal): Promise<Authorized>;
  /** Makes one call of the native API; `within` is the timeout in ms for copies. */
  call<S extends TSchema>(operation: string, schema: S, json: object, signal: AbortSignal, within?: number): Promise<Static<S>>;
  /** Sends GET or HEAD to the download URL; `path` is percent-encoded. */
  download(request: {
    readonly method: 'GET' | 'HEAD';
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  }): Promise<HttpResponse>;
  /** Sends bytes to an upload URL; the caller evaluates the response. */
  upload(
    place: UploadPlace,
    request: {
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Readable | Uint8Array;
      readonly size: number;
      readonly signal: AbortSignal;
    },
  ): Promise<HttpResponse>;
  close(): void;
}

const publicApi = 'https://api.backblazeb2.com';
/** Bytes of a listing of a thousand long names with all their metadata. */
const answerLimit = 16 * 1024 * 1024;

/** Logs in lazily, and again when the token has expired. https://www.backblaze.com/docs/cloud-storage-native-api */
export function createB2Client(
  { keyId, applicationKey }: B2Config,
  { dialer, app }: Pick<Env, 'dialer' | 'app'>,
  maxConnections: number,
): B2Client {
  const base = new URL(app?.apiUrl ?? publicApi);
  const http = createHttp({ origin: base.origin, dialer, verify: true, maxConnections });
  let held: Authorized | undefined;
  let pending: Promise<Authorized> | undefined;

  async function login(): Promise<Authorized> {
    const response = await http.request({
      method: 'GET',
      path: `${pathOf(base)}/b2api/v4/b2_authorize_account`,
      headers: { authorization: `Basic ${Buffer.from(`${keyId}:${applicationKey}`).toString('base64')}` },
      // Not the caller's signal: other callers wait for the same login.
      signal: AbortSignal.timeout(deadlines.login),
    });
    if (response.status !== 200) throw (await readRefusal(response, loginMeaning)).error;
    const { accountId, authorizationToken, apiInfo } = parseJson(AuthorizeAnswer, await response.text());
    const { apiUrl, downloadUrl, s3ApiUrl = '', absoluteMinimumPartSize, allowed } = apiInfo.storageApi;
    held = {
      accountId,
      token: authorizationToken,
      apiUrl: onward(apiUrl, base),
      downloadUrl: onward(downloadUrl, base),
      s3Endpoint: s3ApiUrl,
      smallestPart: absoluteMinimumPartSize,
      capabilities: new Set(allowed.capabilities),
      buckets: allowed.buckets ?? undefined,
      namePrefix: allowed.namePrefix ?? '',
    };
    return held;
  }

  async function authorized(signal: AbortSignal, refused?: string): Promise<Authorized> {
    if (signal.aborted) throw new ConnectorError('aborted', 'given up');
    if (held && held.token !== refused) return held;
    pending ??= login().finally(() => {
      pending = undefined;
    });
    return unlessAborted(pending, signal);
  }

  /** Sends with the token; a rejected token is replaced once. */
  async function withToken(signal: AbortSignal, send: (account: Authorized) => Promise<HttpResponse>): Promise<HttpResponse> {
    const account = await authorized(signal);
    const first = await send(account);
    if (first.status < 300) return first;
    const { error, isStale } = await readRefusal(first);
    if (!isStale) throw error;
    const second = await send(await authorized(signal, account.token));
    if (second.status < 300) return second;
    throw (await readRefusal(second)).error;
  }

  return {
    authorized: (signal) => authorized(signal),
    async call(operation, schema, json, signal, within) {
      const response = await withToken(signal, ({ apiUrl, token }) =>
        http.request({
          method: 'POST',
          origin: apiUrl.origin,
          path: `${pathOf(apiUrl)}/b2api/v4/${operation}`,
          headers: { authorization: token, 'content-type': 'application/json' },
          body: JSON.stringify(json),
          signal,
          ...(within !== undefined && { headTimeout: within }),
        }),
      );
      return parseJson(schema, await response.text(answerLimit));
    },
    download: ({ method, path, headers, signal }) =>
      withToken(signal, ({ downloadUrl, token }) =>
        http.request({
          method,
          origin: downloadUrl.origin,
          path: pathOf(downloadUrl) + path,
          headers: { ...headers, authorization: token },
          signal,
        }),
      ),
    upload({ uploadUrl, authorizationToken }, { headers, body, size, signal }) {
      const url = onward(uploadUrl, base);
      return http.request({
        method: 'POST',
        origin: url.origin,
        path: url.pathname + url.search,
        headers: { ...headers, authorization: authorizationToken },
        body,
        size,
        signal,
      });
    },
    close: () => http.close(),
  };
}

const pathOf = ({ pathname }: URL): string => pathname.replace(/\/$/, '');

/** Validates a URL returned by the service; throws when it is less secure than the service's own. */
function onward(address: string, from: URL): URL {
  const url = URL.parse(address);
  if (url && (url.protocol === 'https:' || url.protocol === from.protocol)) return url;
  throw new ConnectorError('unexpected', 'the service sends the request to a place it may not go');
}
