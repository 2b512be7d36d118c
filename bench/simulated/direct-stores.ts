import { timed } from '../rounds.ts';
import { type Account, type Direct, MiB, bearer, fetchBare, json, name, sendForm, sendInParts, sendPart } from './bare.ts';
import { resumable } from './direct-drives.ts';

export function googleCloud(account: Account): Direct {
  const { bucket = '' } = account.place;
  return {
    upload: (file, size) =>
      timed(() => resumable(`${account.apiUrl}/upload/storage/v1/b/${bucket}/o?uploadType=resumable`, account, { name }, file, size)),
    download: (size) => fetchBare(`${account.apiUrl}/storage/v1/b/${bucket}/o/${name}?alt=media`, size, bearer(account)),
  };
}

interface B2Login {
  readonly authorizationToken: string;
  readonly apiInfo: { readonly storageApi: { readonly apiUrl: string; readonly downloadUrl: string } };
}

/** The token is key and secret. */
export function b2({ apiUrl, token, place: { bucket = '', bucketId = '' } }: Account): Direct {
  const login = async () => {
    const { authorizationToken, apiInfo } = await json<B2Login>(`${apiUrl}/b2api/v4/b2_authorize_account`, {
      authorization: `Basic ${token}`,
    });
    return { ...apiInfo.storageApi, headers: { authorization: authorizationToken } };
  };
  return {
    upload: (file, size) =>
      timed(async () => {
        const { apiUrl: at, headers } = await login();
        const call = <Reply>(operation: string, body: object) => json<Reply>(`${at}/b2api/v4/${operation}`, headers, body);
        const about = { bucketId, fileName: name, contentType: 'application/octet-stream' };
        const { fileId } = await call<{ fileId: string }>('b2_start_large_file', about);
        const to = await call<{ uploadUrl: string; authorizationToken: string }>('b2_get_upload_part_url', { fileId });
        const partSha1Array: string[] = [];
        await sendInParts(size, 8 * MiB, async (start, end) => {
          const told = { 'x-bz-part-number': String(partSha1Array.length + 1), 'x-bz-content-sha1': 'do_not_verify' };
          const sent = { ...told, authorization: to.authorizationToken, 'content-type': 'application/octet-stream' };
          const { text } = await sendPart('POST', to.uploadUrl, sent, { file, start, end });
          partSha1Array.push((JSON.parse(text) as { contentSha1: string }).contentSha1);
        });
        await call('b2_finish_large_file', { fileId, partSha1Array });
      }),
    async download(size) {
      const { downloadUrl, headers } = await login();
      return fetchBare(`${downloadUrl}/file/${bucket}/${name}`, size, headers);
    },
  };
}

/** Only the bytes: no file is made of the object. */
export function autodesk(account: Account): Direct {
  const { project = '', folder = '' } = account.place;
  let object = '';
  return {
    upload: (file, size) =>
      timed(async () => {
        const type = { 'content-type': 'application/vnd.api+json' };
        const relationships = { target: { data: { type: 'folders', id: folder } } };
        const { data } = await json<{ data: { id: string } }>(
          `${account.apiUrl}/data/v1/projects/${project}/storage`,
          { ...bearer(account), ...type },
          { jsonapi: { version: '1.0' }, data: { type: 'objects', attributes: { name }, relationships } },
        );
        const [, bucket = '', key = ''] = /^urn:adsk\.objects:os\.object:([^/]+)\/(.+)$/.exec(data.id) ?? [];
        object = `${account.apiUrl}/oss/v2/buckets/${bucket}/objects/${key}`;
        let uploadKey: string | undefined;
        let number = 0;
        await sendInParts(size, 8 * MiB, async (start, end) => {
          const query = `parts=1&firstPart=${(number += 1)}${uploadKey === undefined ? '' : `&uploadKey=${uploadKey}`}`;
          const told = await json<{ uploadKey: string; urls: readonly string[] }>(`${object}/signeds3upload?${query}`, bearer(account));
          uploadKey = told.uploadKey;
          await sendPart('PUT', told.urls[0] ?? '', { 'content-type': 'application/octet-stream' }, { file, start, end });
        });
        await json(`${object}/signeds3upload`, bearer(account), { uploadKey, size });
      }),
    async download(size) {
      const { url } = await json<{ url: string }>(`${object}/signeds3download`, bearer(account));
      return fetchBare(url, size);
    },
  };
}

export function procore(account: Account): Direct {
  const { company = '', project = '' } = account.place;
  const headers = { ...bearer(account), 'procore-company-id': company };
  const rest = `${account.apiUrl}/rest`;
  let id = 0;
  let uploads = 0;
  return {
    upload: (file, size) =>
      timed(async () => {
        const about = { response_filename: name, response_content_type: 'application/octet-stream', size };
        const to = await json<{ uuid: string; url: string; fields: Readonly<Record<string, string>> }>(
          `${rest}/v1.1/projects/${project}/uploads`,
          headers,
          about,
        );
        await sendForm(to.url, {}, to.fields, 'file', { file, size });
        const made = { name: `${(uploads += 1)} ${name}`, upload_uuid: to.uuid };
        id = (await json<{ id: number }>(`${rest}/v1.0/files?project_id=${project}`, headers, { file: made })).id;
      }),
    async download(size) {
      const file = await json<{ file_versions: readonly { url: string }[] }>(`${rest}/v1.0/files/${id}?project_id=${project}`, headers);
      return fetchBare(file.file_versions[0]?.url ?? '', size);
    },
  };
}
