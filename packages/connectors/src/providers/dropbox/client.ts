import { type Static, type TSchema, Type } from 'typebox';
import { deadlines } from '../../core/deadlines.ts';
import type { Env } from '../../core/definition.ts';
import { ConnectorError } from '../../core/error.ts';
import type { Chunks } from '../../kit/body/chunks.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { type Api, type ApiRequest, createApi } from '../../kit/rest/api.ts';
import { parseJson } from '../../kit/rest/json.ts';
import { RootInfo, headerJson } from './api.ts';
import type { DropboxConfig } from './config.ts';
import { dropboxError, tagsIn } from './errors.ts';

/** Connections of one link to each of the two hosts. */
const maxConnections = 8;

export const apiUrl = 'https://api.dropboxapi.com';
const contentUrl = 'https://content.dropboxapi.com';

/** Work that grows with a folder, and the assembly of a large file from its parts. */
const longWork = /^files\/(?:(?:copy|delete|move)_v2|copy_reference\/save|upload_session\/finish)$/;
const timeOf = (route: string) => (longWork.test(route) ? { headTimeout: deadlines.longWork } : {});

/** The three request formats of Dropbox's API: https://www.dropbox.com/developers/documentation/http/documentation#formats */
export interface DropboxClient {
  /** Sends and receives JSON. `arg` is undefined for calls without an argument. */
  call<S extends TSchema>(schema: S, route: string, arg: unknown, signal: AbortSignal): Promise<Static<S>>;
  /** Like `call`, but returns the service's time in epoch seconds, from the response. */
  timeAfter(route: string, arg: unknown, signal: AbortSignal): Promise<number>;
  /** Sends bytes with the argument in a header. */
  upload<S extends TSchema>(schema: S, route: string, arg: unknown, bytes: Chunks, signal: AbortSignal): Promise<Static<S>>;
  /** Receives bytes. */
  download(route: string, arg: unknown, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<HttpResponse>;
  close(): void;
}

const StaleRoot = Type.Object({ error: Type.Object({ '.tag': Type.Literal('invalid_root'), invalid_root: RootInfo }) });

/** Name under which a link stores its current root namespace. */
const fact = 'root';

/**
 * Dropbox's API on behalf of the link's user. A team space is addressed by its root namespace, which changes when the user joins or leaves
 * a team: Dropbox then returns the new one, and the request is repeated.
 */
export function createDropboxClient(config: DropboxConfig, env: Env): DropboxClient {
  const { apiUrl: base = apiUrl, uploadUrl = contentUrl } = env.app ?? {};
  const headers = { ...(config.member !== undefined && { 'dropbox-api-select-user': config.member }) };
  const shared = { env, headers, maxConnections, refusal: dropboxError };
  const calls = createApi({ ...shared, base });
  const content = createApi({ ...shared, base: uploadUrl });
  let root: Promise<string | undefined> | undefined;

  const recallRoot = async (): Promise<string | undefined> => (await env.recall(fact)) ?? config.root;

  async function send(api: Api, request: ApiRequest, isSecond = false): Promise<HttpResponse> {
    const namespace = await (root ??= recallRoot());
    const rooted = namespace === undefined ? {} : { 'dropbox-api-path-root': headerJson({ '.tag': 'root', root: namespace }) };
    const response = await api.send({ ...request, headers: { ...request.headers, ...rooted }, accepts: [422] });
    if (response.status !== 422) return response;
    const text = await response.text();
    if (isSecond || tagsIn(text)[0] !== 'invalid_root') throw dropboxError(response, text);
    const next = parseJson(StaleRoot, text).error.invalid_root.root_namespace_id;
    if (next === namespace) throw new ConnectorError('forbidden', 'the team space cannot be reached');
    root = Promise.resolve(next);
    await env.remember(fact, next);
    return send(api, request, true);
  }

  const json = async <S extends TSchema>(schema: S, api: Api, request: ApiRequest): Promise<Static<S>> =>
    parseJson(schema, await (await send(api, request)).text(answerLimit));

  return {
    call: (schema, route, arg, signal) =>
      json(schema, calls, {
        method: 'POST',
        url: `/2/${route}`,
        signal,
        ...timeOf(route),
        ...(arg !== undefined && { json: arg }),
      }),
    async timeAfter(route, arg, signal) {
      const response = await send(calls, { method: 'POST', url: `/2/${route}`, signal, json: arg });
      await response.discard();
      const told = Date.parse(response.headers['date'] ?? '');
      return Math.floor((Number.isFinite(told) ? told : Date.now()) / 1000);
    },
    upload: (schema, route, arg, bytes, signal) =>
      json(schema, content, {
        method: 'POST',
        url: `/2/${route}`,
        signal,
        ...timeOf(route),
        headers: { 'dropbox-api-arg': headerJson(arg), 'content-type': 'application/octet-stream' },
        body: bytes,
      }),
    download: (route, arg, more, signal) =>
      send(content, { method: 'GET', url: `/2/${route}`, signal, headers: { 'dropbox-api-arg': headerJson(arg), ...more } }),
    close() {
      calls.close();
      content.close();
    },
  };
}

/** Maximum bytes of a response: 2,000 entries with long names or a few thousand changes stay far below. */
const answerLimit = 32 * 1024 * 1024;
