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
  /** Opens an address of the program; returns where it sends the browser. */
  follow(path: string): Promise<string>;
}

/** Sends a request to a path of the program. */
export type Send = (path: string, init: RequestInit) => Promise<Response>;

export function callerOf(url: string, send: Send = (path, init) => fetch(url + path, init)): Caller {
  const cookies = new Map<string, string>();
  const headers = () => ({
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-rtag': cookies.get('sh') ?? '',
  });
  function keepCookies(response: Response): void {
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
  }
  async function tryAsk<C extends Call>({ method, path }: C, input: InputOf<C>): Promise<ReplyOf<C> | undefined> {
    const query = queryOf({ ...(method !== 'GET' && { rTag: cookies.get('sh') }), ...(input as object) });
    const response =
      method === 'GET'
        ? await send(`${path}?${query.toString()}`, { headers: headers() })
        : await send(path, { method, body: query, headers: headers() });
    keepCookies(response);
    const text = await response.text();
    if (response.status === 404 && text.includes('"NOT_FOUND"')) return undefined;
    assert.equal(response.status, 200, `${path}: ${text}`);
    return (JSON.parse(text) as { data: ReplyOf<C> }).data;
  }
  return {
    url,
    headers,
    tryAsk,
    async follow(path) {
      const response = await send(path, { headers: headers(), redirect: 'manual' });
      keepCookies(response);
      const location = response.headers.get('location');
      assert.ok(location !== null, `${path}: ${response.status}`);
      return location;
    },
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
