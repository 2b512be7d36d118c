import { Type } from 'typebox';
import type { WriteOptions } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { ResumableUploads } from '../../core/upload.ts';
import { nameOf } from '../../kit/names/path.ts';
import { certainOffset, unknownUpload, usualPartSize } from '../../kit/object-store/partial-upload.ts';
import { parseJson } from '../../kit/rest/json.ts';
import { readOffset, readUpload } from './api.ts';
import type { GatewayClient } from './client.ts';

/** Returns headers that say whether a file may be replaced, and its modification time. */
export const conditionsOf = ({ ifExists, modified }: Pick<WriteOptions, 'ifExists' | 'modified'>) => ({
  ...(ifExists === 'fail' && { 'if-none-match': '*' }),
  ...(modified !== undefined && modified >= 0 && { 'x-sheaf-modified': String(Math.floor(modified)) }),
});

const Session = Type.Object({ upload: Type.String(), partSize: Type.Integer({ minimum: 1 }) });

/** Larger files are compared by size only: a slow disk would be read for longer than the timeout of the response. */
const mostHashed = 16 * 1024 ** 3;

/** Uploads in parts: docs/gateway/protocol.md. The server deletes abandoned uploads, so that no leftover notes are needed. */
export function resumableUploads(client: GatewayClient): ResumableUploads {
  return {
    async beginUpload(path, { signal, ifExists }) {
      const headers = conditionsOf({ ifExists });
      const response = await client.send({ method: 'POST', name: 'upload', paths: { path }, headers, signal });
      const { upload, expires } = readUpload(await response.text());
      const session = JSON.stringify({ upload, partSize: usualPartSize });
      return { session, partSize: usualPartSize, parallel: 1, expires, kept: () => undefined };
    },

    async sendPart(path, body, { signal, session, offset, size }) {
      try {
        const values = { upload: uploadOf(session).upload, offset };
        const headers = { 'content-type': 'application/octet-stream' };
        const response = await client.send({ method: 'PUT', name: 'part', paths: { path }, values, headers, body, size, signal });
        const end = readOffset(await response.text());
        if (end !== offset + size) throw new ConnectorError('interrupted', `the part ends at ${end} instead of ${offset + size}`);
        return String(end);
      } finally {
        body.destroy();
      }
    },

    async uploadState(path, { signal, session }) {
      const { upload, partSize } = uploadOf(session);
      const response = await client.send({ method: 'GET', name: 'upload', paths: { path }, values: { upload }, signal });
      return { offset: certainOffset(readOffset(await response.text()), partSize) };
    },

    async finishUpload(path, { signal, session, size, hashes: { sha256 }, ...ask }) {
      const values = { upload: uploadOf(session).upload, size };
      const headers = {
        ...conditionsOf(ask),
        ...(sha256 !== undefined && size <= mostHashed && { 'x-sheaf-hash': `sha256=${sha256}` }),
      };
      const entry = await client.sendForEntry({ method: 'POST', name: 'finish', paths: { path }, values, headers, signal });
      return { entry: { ...entry, name: nameOf(path) } };
    },

    async abandonUpload(path, { signal, session }) {
      const values = { upload: uploadOf(session).upload };
      try {
        await (await client.send({ method: 'DELETE', name: 'upload', paths: { path }, values, signal })).discard();
      } catch (error) {
        if (!isKind(error, 'notFound')) throw error;
      }
    },
  };
}

function uploadOf(session: string) {
  try {
    return parseJson(Session, session);
  } catch (error) {
    if (isKind(error, 'unexpected')) throw unknownUpload(error);
    throw error;
  }
}
