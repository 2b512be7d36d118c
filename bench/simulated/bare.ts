import { createReadStream } from 'node:fs';
import { get, request } from 'node:http';
import { finished, pipeline } from 'node:stream/promises';
import { timed } from '../rounds.ts';

/** What a bare client needs to know of a provider and of the account that it uses there. */
export interface Account {
  readonly apiUrl: string;
  readonly uploadUrl: string;
  readonly token: string;
  /** Ids of the folder that Sheaf uses too, by what they are called in the provider's addresses. */
  readonly place: Readonly<Record<string, string>>;
}

/** One big file to and from a provider, in parts as long as Sheaf's, with as little as HTTP needs; both give seconds. */
export interface Direct {
  upload(file: string, size: number): Promise<number>;
  /** Of what was uploaded last. */
  download(size: number): Promise<number>;
}

export const MiB = 2 ** 20;
export const name = 'direct.bin';
type Headers = Readonly<Record<string, string>>;

export const bearer = ({ token }: Account) => ({ authorization: `Bearer ${token}` });

/** A part of a file as the body of one request, with what stands around its bytes in a form. */
export interface Part {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly before?: string;
  readonly after?: string;
}

export interface Answer {
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a part with Node's own client; rejects with the answer's text when the provider refuses. */
export async function sendPart(
  method: string,
  url: string,
  headers: Headers,
  { file, start, end, before = '', after = '' }: Part,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const length = Buffer.byteLength(before) + end - start + Buffer.byteLength(after);
  const outgoing = request(url, { method, headers: { ...headers, 'content-length': String(length) } }, (answer) => {
    let text = '';
    answer.on('data', (chunk) => (text += String(chunk)));
    answer.on('end', () => {
      if ((answer.statusCode ?? 500) >= 400) reject(new Error(`${url}: ${answer.statusCode} ${text}`));
      else resolve({ headers: answer.headers as Headers, text });
    });
  });
  outgoing.on('error', reject);
  if (before !== '') outgoing.write(before);
  if (end > start) await pipeline(createReadStream(file, { start, end: end - 1, highWaterMark: MiB }), outgoing, { end: false });
  outgoing.end(after);
  await finished(outgoing, { readable: false });
  return promise;
}

/** Sends a file part after part. */
export async function sendInParts(size: number, part: number, send: (start: number, end: number) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < size; start += part) await send(start, Math.min(size, start + part));
}

/** A form with these fields, and the file's bytes last. */
export async function sendForm(
  url: string,
  headers: Headers,
  fields: Readonly<Record<string, string>>,
  field: string,
  { file, size }: { readonly file: string; readonly size: number },
): Promise<Answer> {
  const boundary = 'bare-client-boundary';
  const part = (disposition: string, more: string) => `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n${more}\r\n`;
  const before =
    Object.entries(fields)
      .map(([key, value]) => `${part(`name="${key}"`, '')}${value}\r\n`)
      .join('') + part(`name="${field}"; filename="${name}"`, 'content-type: application/octet-stream\r\n');
  const type = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  return sendPart('POST', url, { ...headers, ...type }, { file, start: 0, end: size, before, after: `\r\n--${boundary}--\r\n` });
}

/** Fetches an address with Node's own client and throws the bytes away, following redirects without the headers; gives seconds. Rejects unless `size` bytes come. */
export const fetchBare = (url: string, size: number, headers: Headers = {}): Promise<number> =>
  timed(async () => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    get(url, { headers }, (answer) => {
      const { location } = answer.headers;
      if (location !== undefined) {
        answer.resume();
        fetchBare(location, size).then(() => resolve(size), reject);
        return;
      }
      let bytes = 0;
      answer.on('data', (chunk: Uint8Array) => (bytes += chunk.byteLength));
      answer.on('end', () => resolve(bytes));
    }).on('error', reject);
    const came = await promise;
    if (came !== size) throw new Error(`${came} of ${size} bytes came`);
  });

/** Asks with JSON, or without a body, and gives the answer's. */
export async function json<Reply>(url: string, headers: Headers, body?: unknown): Promise<Reply> {
  const type = (headers['content-type'] ?? '') === '' ? { 'content-type': 'application/json' } : {};
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(url, { ...init, headers: { ...headers, ...(body !== undefined && type) } });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Reply;
}
