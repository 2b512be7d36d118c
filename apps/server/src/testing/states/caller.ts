import assert from 'node:assert/strict';
import type { Call, InputOf, ReplyOf } from '@sheaf/contract';

/** Somebody with a browser who calls a running program. */
export interface Caller {
  headers(): Record<string, string>;
  readonly url: string;
  /** Sends a call that must succeed and gives its data. */
  ask<C extends Call>(call: C, input: InputOf<C>): Promise<ReplyOf<C>>;
  /** As `ask`; undefined when the program, being an earlier version, does not know the call. */
  tryAsk<C extends Call>(call: C, input: InputOf<C>): Promise<ReplyOf<C> | undefined>;
}

/** Sends a request to a path of the program. */
export type Send = (path: string, init: RequestInit) => Promise<Response>;

export function callerOf(url: string, send: Send = (path, init) => fetch(url + path, init)): Caller {
  const cookies = new Map<string, string>();
  const headers = () => ({
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-rtag': cookies.get('sh') ?? '',
  });
  async function tryAsk<C extends Call>({ method, path }: C, input: InputOf<C>): Promise<ReplyOf<C> | undefined> {
    const query = queryOf({ ...(method !== 'GET' && { rTag: cookies.get('sh') }), ...(input as object) });
    const response =
      method === 'GET'
        ? await send(`${path}?${query.toString()}`, { headers: headers() })
        : await send(path, { method, body: query, headers: headers() });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const text = await response.text();
    if (response.status === 404 && text.includes('"NOT_FOUND"')) return undefined;
    assert.equal(response.status, 200, `${path}: ${text}`);
    return (JSON.parse(text) as { data: ReplyOf<C> }).data;
  }
  return {
    url,
    headers,
    tryAsk,
    async ask(call, input) {
      const answer = await tryAsk(call, input);
      assert.ok(answer !== undefined, `${call.path} is not known`);
      return answer;
    },
  };
}

function queryOf(input: Readonly<Record<string, unknown>>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) query.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one));
  return query;
}
