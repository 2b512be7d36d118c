import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { timed } from '../rounds.ts';
import { type Account, type Direct, MiB, bearer, fetchBare, json, name, sendForm, sendInParts, sendPart } from './bare.ts';

/** Sends a file through a session of Google's, as Drive and Cloud Storage have it. */
export async function resumable(url: string, account: Account, about: object, file: string, size: number): Promise<string> {
  const begun = await fetch(url, {
    method: 'POST',
    headers: { ...bearer(account), 'content-type': 'application/json' },
    body: JSON.stringify(about),
  });
  await begun.body?.cancel();
  const session = begun.headers.get('location') ?? '';
  let text = '';
  await sendInParts(size, 16 * MiB, async (start, end) => {
    const headers = { 'content-range': `bytes ${start}-${end - 1}/${size}` };
    ({ text } = await sendPart('PUT', session, headers, { file, start, end }));
  });
  return text;
}

export function googleDrive(account: Account): Direct {
  let id = '';
  return {
    upload: (file, size) =>
      timed(async () => {
        const url = `${account.apiUrl}/upload/drive/v3/files?uploadType=resumable`;
        id = (JSON.parse(await resumable(url, account, { name }, file, size)) as { id: string }).id;
      }),
    download: (size) => fetchBare(`${account.apiUrl}/drive/v3/files/${id}?alt=media`, size, bearer(account)),
  };
}

export function dropbox(account: Account): Direct {
  const path = `/${name}`;
  return {
    upload: (file, size) =>
      timed(async () => {
        const post = (call: string, arg: unknown, start = 0, end = 0) =>
          sendPart(
            'POST',
            `${account.uploadUrl}/2/files/${call}`,
            { ...bearer(account), 'content-type': 'application/octet-stream', 'dropbox-api-arg': JSON.stringify(arg) },
            { file, start, end },
          );
        const { session_id } = JSON.parse((await post('upload_session/start', { close: false })).text) as { session_id: string };
        await sendInParts(size, 8 * MiB, (start, end) =>
          post('upload_session/append_v2', { cursor: { session_id, offset: start }, close: false }, start, end),
        );
        await post('upload_session/finish', { cursor: { session_id, offset: size }, commit: { path, mode: 'overwrite' } });
      }),
    download: (size) =>
      fetchBare(`${account.uploadUrl}/2/files/download?arg=${encodeURIComponent(JSON.stringify({ path }))}`, size, bearer(account)),
  };
}

export function oneDrive(account: Account): Direct {
  const url = `${account.apiUrl}/me/drive/root:/${name}:`;
  return {
    upload: (file, size) =>
      timed(async () => {
        const item = { '@microsoft.graph.conflictBehavior': 'replace' };
        const { uploadUrl } = await json<{ uploadUrl: string }>(`${url}/createUploadSession`, bearer(account), { item });
        // Fragments are multiples of 320 KiB.
        await sendInParts(size, 20 * MiB, (start, end) =>
          sendPart('PUT', uploadUrl, { 'content-range': `bytes ${start}-${end - 1}/${size}` }, { file, start, end }),
        );
      }),
    download: (size) => fetchBare(`${url}/content`, size, bearer(account)),
  };
}

/** Box wants the SHA-1 of every part and of the whole: they are made once, beforehand, so that they cost no time that is measured. */
export function box(account: Account): Direct {
  const digests = new Map<string, string>();
  let id: string | undefined;

  async function digest(file: string, start: number, end: number): Promise<string> {
    const known = digests.get(`${start} ${end}`);
    if (known !== undefined) return known;
    const hash = createHash('sha1');
    for await (const chunk of createReadStream(file, { start, end: end - 1, highWaterMark: MiB })) hash.update(chunk as Uint8Array);
    const made = `sha=${hash.digest('base64')}`;
    digests.set(`${start} ${end}`, made);
    return made;
  }

  return {
    async upload(file, size) {
      const part = 8 * MiB;
      await sendInParts(size, part, (start, end) => digest(file, start, end));
      await digest(file, 0, size);
      return timed(async () => {
        const files = `${account.uploadUrl}/files`;
        const [url, about] =
          id === undefined
            ? [`${files}/upload_sessions`, { folder_id: '0', file_name: name, file_size: size }]
            : [`${files}/${id}/upload_sessions`, { file_size: size }];
        const { session_endpoints: to } = await json<{ session_endpoints: { upload_part: string; commit: string } }>(
          url,
          bearer(account),
          about,
        );
        const parts: unknown[] = [];
        await sendInParts(size, part, async (start, end) => {
          const range = { 'content-range': `bytes ${start}-${end - 1}/${size}`, 'content-type': 'application/octet-stream' };
          const headers = { ...bearer(account), ...range, digest: await digest(file, start, end) };
          parts.push((JSON.parse((await sendPart('PUT', to.upload_part, headers, { file, start, end })).text) as { part: unknown }).part);
        });
        const headers = { ...bearer(account), digest: await digest(file, 0, size) };
        const made = await json<{ entries: readonly { id: string }[] }>(to.commit, headers, { parts });
        id = made.entries[0]?.id;
      });
    },
    download: (size) => fetchBare(`${account.apiUrl}/files/${id}/content`, size, bearer(account)),
  };
}

/** The token is name and password. */
export function oracle({ apiUrl, token }: Account): Direct {
  const headers = { authorization: `Basic ${token}` };
  const base = `${apiUrl}/documents/api/1.2`;
  let id = '';
  return {
    upload: (file, size) =>
      timed(async () => {
        const home = await json<{ id: string }>(`${base}/folders/self`, headers);
        const fields = { jsonInputParameters: JSON.stringify({ parentID: home.id }) };
        id = (JSON.parse((await sendForm(`${base}/files/data`, headers, fields, 'primaryFile', { file, size })).text) as { id: string }).id;
      }),
    download: (size) => fetchBare(`${base}/files/${id}/data`, size, headers),
  };
}
