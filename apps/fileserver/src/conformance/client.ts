import { Broken } from './promise.ts';

/** An answer, whole. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

interface Extras {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

type Paths = Readonly<Record<string, string>>;
type Json = Readonly<Record<string, unknown>>;

/** Speaks the protocol and verifies every answer. */
export interface Client {
  /** Sends a call; `paths` are plain text and are encoded here. */
  ask(method: string, call: string, paths?: Paths, extras?: Extras): Promise<Answer>;
  /** Sends a call that must succeed with a JSON object. */
  json(method: string, call: string, paths?: Paths, extras?: Extras): Promise<Json>;
  /** Sends a call that must be refused; returns status and code. */
  refusal(method: string, call: string, paths?: Paths, extras?: Extras): Promise<readonly [number, unknown]>;
  /** Lists a folder; the listing must say that it is complete. */
  list(path: string): Promise<readonly Json[]>;
  info(): Promise<{ readonly capabilities: readonly unknown[] }>;
}

/** Timeout of one call, in ms. */
const timeout = 60_000;

/** Encodes a path: each segment percent-encoded, slashes between. */
export const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

export function createClient(url: string, authorization: string): Client {
  async function ask(method: string, call: string, paths: Paths = {}, { headers = {}, body }: Extras = {}): Promise<Answer> {
    const query = Object.entries(paths).map(([name, path]) => `${name}=${encodePath(path)}`);
    const response = await fetch(`${url.replace(/\/+$/, '')}/sheaf/v1/${call}${query.length > 0 ? `?${query.join('&')}` : ''}`, {
      method,
      headers: { ...(authorization !== '' && { authorization }), ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
      ...(body !== undefined && { body, duplex: 'half' as const }),
    });
    return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
  }

  async function json(method: string, call: string, paths?: Paths, extras?: Extras): Promise<Json> {
    const { status, body } = await ask(method, call, paths, extras);
    if (status < 200 || status > 299) throw new Broken(`${method} ${call} was answered ${status} ${body.toString('utf8', 0, 200)}`);
    return parseJson(body.toString());
  }

  return {
    ask,
    json,
    async refusal(method, call, paths, extras) {
      const { status, body } = await ask(method, call, paths, extras);
      return [status, status < 400 ? undefined : parseJson(body.toString())['code']];
    },
    async list(path) {
      const { status, body } = await ask('GET', 'entries', { path });
      if (status !== 200) throw new Broken(`the listing was answered ${status}`);
      const lines = body.toString().split('\n');
      if (lines.pop() !== '') throw new Broken('the last line of the listing does not end');
      const values = lines.map(parseJson);
      if (values.pop()?.['end'] !== true) throw new Broken('the last line of the listing is not {"end":true}');
      return values;
    },
    async info() {
      const { protocol, capabilities } = await json('GET', 'info');
      if (protocol !== 1 || !Array.isArray(capabilities)) throw new Broken('info tells no protocol 1 and its capabilities');
      return { capabilities };
    },
  };
}

function parseJson(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch (cause) {
    throw new Broken(`no JSON: ${text.slice(0, 200)}`, { cause });
  }
  throw new Broken(`no JSON object: ${text.slice(0, 200)}`);
}
