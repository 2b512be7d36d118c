import { createReadStream } from 'node:fs';
import { get, request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { timed } from '../rounds.ts';

/** What a bare client needs to know of a provider. */
export interface Account {
  readonly apiUrl: string;
  readonly uploadUrl: string;
  readonly token: string;
}

/** One big file to and from a provider with as little as HTTP needs; both give seconds. */
export interface Direct {
  download(account: Account, name: string, size: number): Promise<number>;
  upload(account: Account, file: string, name: string, size: number): Promise<number>;
}

const MiB = 2 ** 20;
const bearer = ({ token }: Account) => ({ authorization: `Bearer ${token}` });

/** Sends a part of a file as the body of one request; gives the answer's headers and text. */
async function sendPart(method: string, url: string, headers: Record<string, string>, file: string, start: number, end: number) {
  const { promise, resolve, reject } = Promise.withResolvers<{ location: string; text: string }>();
  const outgoing = request(url, { method, headers: { ...headers, 'content-length': String(end - start) } }, (answer) => {
    let text = '';
    answer.on('data', (chunk) => (text += String(chunk)));
    answer.on('end', () =>
      (answer.statusCode ?? 500) < 400 ? resolve({ location: answer.headers.location ?? '', text }) : reject(new Error(text)),
    );
  });
  outgoing.on('error', reject);
  if (end > start) await pipeline(createReadStream(file, { start, end: end - 1, highWaterMark: MiB }), outgoing);
  else outgoing.end();
  return promise;
}

/** Fetches an address with Node's own client and throws the bytes away, following one redirect; gives seconds. Rejects unless `size` bytes come. */
const fetchBare = (url: string, size: number, headers: Record<string, string>): Promise<number> =>
  timed(async () => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    get(url, { headers }, (answer) => {
      const { location } = answer.headers;
      if (location !== undefined) {
        answer.resume();
        fetchBare(location, size, {}).then(() => resolve(size), reject);
        return;
      }
      let bytes = 0;
      answer.on('data', (chunk: Uint8Array) => (bytes += chunk.byteLength));
      answer.on('end', () => resolve(bytes));
    }).on('error', reject);
    const came = await promise;
    if (came !== size) throw new Error(`${came} of ${size} bytes came`);
  });

async function sendInParts(size: number, part: number, send: (start: number, end: number) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < size; start += part) await send(start, Math.min(size, start + part));
}

async function json(url: string, account: Account, body?: unknown): Promise<Readonly<Record<string, unknown>>> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(url, {
    ...init,
    headers: { ...bearer(account), ...(body !== undefined && { 'content-type': 'application/json' }) },
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Readonly<Record<string, unknown>>;
}

export const directs: Readonly<Record<string, Direct>> = {
  GOOGLEDRIVE: {
    async download(account, name, size) {
      const found = await json(`${account.apiUrl}/drive/v3/files?q=${encodeURIComponent(`name = '${name}' and trashed = false`)}`, account);
      const [{ id = '' } = {}] = found['files'] as { readonly id?: string }[];
      return fetchBare(`${account.apiUrl}/drive/v3/files/${id}?alt=media`, size, bearer(account));
    },
    upload: (account, file, name, size) =>
      timed(async () => {
        const begun = await fetch(`${account.apiUrl}/upload/drive/v3/files?uploadType=resumable`, {
          method: 'POST',
          headers: { ...bearer(account), 'content-type': 'application/json' },
          body: JSON.stringify({ name }),
        });
        await sendPart('PUT', begun.headers.get('location') ?? '', bearer(account), file, 0, size);
      }),
  },
  DROPBOX: {
    async download(account, name, size) {
      const arg = encodeURIComponent(JSON.stringify({ path: `/${name}` }));
      return fetchBare(`${account.uploadUrl}/2/files/download?arg=${arg}`, size, bearer(account));
    },
    upload: (account, file, name, size) =>
      timed(async () => {
        const post = (call: string, arg: unknown, start = 0, end = 0) =>
          sendPart(
            'POST',
            `${account.uploadUrl}/2/files/${call}`,
            { ...bearer(account), 'content-type': 'application/octet-stream', 'dropbox-api-arg': JSON.stringify(arg) },
            file,
            start,
            end,
          );
        const { session_id } = JSON.parse((await post('upload_session/start', { close: false })).text) as { session_id: string };
        await sendInParts(size, 64 * MiB, (start, end) =>
          post('upload_session/append_v2', { cursor: { session_id, offset: start }, close: false }, start, end),
        );
        await post('upload_session/finish', { cursor: { session_id, offset: size }, commit: { path: `/${name}`, mode: 'overwrite' } });
      }),
  },
  ONEDRIVE: {
    async download(account, name, size) {
      const url = `${account.apiUrl}/me/drive/root:/${name}:/content`;
      return fetchBare(url, size, bearer(account));
    },
    upload: (account, file, name, size) =>
      timed(async () => {
        const session = await json(`${account.apiUrl}/me/drive/root:/${name}:/createUploadSession`, account, {
          item: { '@microsoft.graph.conflictBehavior': 'replace' },
        });
        const url = String(session['uploadUrl']);
        // Fragments are multiples of 320 KiB and shorter than 60 MiB.
        await sendInParts(size, 50 * MiB, (start, end) =>
          sendPart('PUT', url, { 'content-range': `bytes ${start}-${end - 1}/${size}` }, file, start, end),
        );
      }),
  },
};
