import type { Readable } from 'node:stream';
import { type Call, type InputOf, type Item, type ReplyOf, download, upload } from '@sheaf/contract';
import { ConnectionLost, Refusal } from './failure.ts';
import { type Http, type Incoming, textOf } from './http.ts';
import { recordIn } from './json.ts';
import type { Account } from './settings.ts';
import { userAgent } from './version.ts';

type Payload<C extends Call> = Omit<InputOf<C>, 'rTag'>;

export interface UploadedFile {
  readonly parentLinkUri: string;
  readonly name: string;
  readonly conflict: InputOf<typeof upload>['conflict'];
  /** Epoch milliseconds. */
  readonly modified?: number;
  readonly stream: Readable;
  readonly size?: number;
}

export interface DownloadedFile {
  readonly stream: Readable;
  readonly size: number | undefined;
}

export type Client = ReturnType<typeof createClient>;

/** Calls of a server's API. Each rejects with Refusal for an error answer, and with ConnectionLost without one. */
export function createClient(http: Http, { url, token }: Pick<Account, 'url'> & { readonly token?: string }) {
  const headers = {
    accept: 'application/json',
    'user-agent': userAgent,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const address = (path: string, query: object): URL => {
    const target = new URL(path, url);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) target.searchParams.append(name, String(value));
    return target;
  };

  return {
    /** Sends a call of the contract and returns `data` of its answer. */
    async ask<C extends Call>({ method, path }: C, payload: Payload<C>, signal: AbortSignal): Promise<ReplyOf<C>> {
      const isForm = method === 'POST';
      const answer = await http.send(address(path, isForm ? {} : payload), {
        method,
        headers: { ...headers, ...(isForm && { 'content-type': 'application/json' }) },
        ...(isForm && { body: JSON.stringify(payload) }),
        signal,
      });
      return (await dataOf(answer)) as ReplyOf<C>;
    },

    /** Uploads a file as a stream. */
    async upload({ stream, size, ...query }: UploadedFile, signal: AbortSignal): Promise<Item> {
      const body = { stream, ...(size !== undefined && { size }) };
      const answer = await http.send(address(upload.path, query), {
        method: 'PUT',
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        body,
        signal,
      });
      return (await dataOf(answer)) as Item;
    },

    /** Downloads a file as a stream, which must be read to its end or destroyed. */
    async download(linkUri: string, signal: AbortSignal): Promise<DownloadedFile> {
      const answer = await http.send(address(download.path, { linkUri }), { method: 'GET', headers, signal });
      if (answer.status !== 200) throw await refusalOf(answer);
      const length = answer.headers['content-length'];
      return { stream: answer.body, size: length === undefined ? undefined : Number(length) };
    },
  };
}

async function dataOf(answer: Incoming): Promise<unknown> {
  if (answer.status !== 200) throw await refusalOf(answer);
  const body = recordIn(await textOf(answer));
  if (!body || !('data' in body)) throw notSheaf(answer.status);
  return body['data'];
}

async function refusalOf(answer: Incoming): Promise<Refusal | ConnectionLost> {
  const {
    errorCode,
    messageCode = '',
    message = `The server refused with error ${String(errorCode)}.`,
  } = recordIn(await textOf(answer)) ?? {};
  if (typeof errorCode !== 'number' || typeof messageCode !== 'string' || typeof message !== 'string') return notSheaf(answer.status);
  return new Refusal(message, { errorCode, messageCode, status: answer.status });
}

/** An answer that is not Sheaf's counts as a lost connection: a proxy may send it while the server restarts. */
const notSheaf = (status: number): ConnectionLost =>
  new ConnectionLost(`The server's answer is not one of Sheaf's (HTTP status ${status}).`);
