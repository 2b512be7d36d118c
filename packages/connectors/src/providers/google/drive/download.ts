import { Readable } from 'node:stream';
import type { CallOptions, Body, ByteRange } from '../../../core/connector.ts';
import { deadlines } from '../../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../../core/error.ts';
import { bodyOf } from '../../../kit/body/body.ts';
import { readWhole } from '../../../kit/body/whole-body.ts';
import { bodyHash, unlessReplaced, verified } from '../../../kit/hash/content-hash.ts';
import type { HttpResponse } from '../../../kit/http/http.ts';
import { type DriveItem, Links, hashOf } from './api.ts';
import type { DriveClient } from './client.ts';
import { type Export, isGoogles } from './exports.ts';

interface ReadOptions extends CallOptions {
  readonly range?: ByteRange;
}

/** Maximum bytes of an export from which a range is cut: Drive exports 10 MB at most. */
const longestExport = 32 * 1024 * 1024;

/** Opens the bytes of a freshly requested item; a Google document is exported. */
export async function openFile(client: DriveClient, item: DriveItem, ask: ReadOptions): Promise<Body> {
  const { facts, entry } = item;
  if (facts.isBroken) throw new ConnectorError('notFound', 'the shortcut leads nowhere');
  if (facts.export) return openExport(client, item, facts.export, ask);
  if (isGoogles(facts.mimeType)) throw new ConnectorError('unsupported', 'Google gives such a document in no other format');
  const { range, signal } = ask;
  const isWhole = !range || (range.start === 0 && range.end === undefined);
  if (!isWhole && range.start >= (entry.size ?? Number.POSITIVE_INFINITY)) throw new ConnectorError('badRange', 'begins past the end');
  const response = await client.api.send({
    method: 'GET',
    url: `/drive/v3/files/${encodeURIComponent(facts.target)}`,
    query: { alt: 'media', supportsAllDrives: true },
    headers: { accept: '*/*', ...(!isWhole && { range: `bytes=${range.start}-${range.end === undefined ? '' : range.end - 1}` }) },
    signal,
  });
  if (isWhole) return sureOf(client, item, verified(response.body(entry), facts.hash?.value, bodyHash(facts.hash?.algorithm ?? 'md5')));
  if (response.status === 206) return response.body(entry);
  await response.discard();
  throw new ConnectorError('unexpected', 'Drive gives the whole file instead of a part');
}

/** A file that was replaced during the download also has other bytes, but is not damaged. */
const sureOf = (client: DriveClient, { facts }: DriveItem, body: Body): Body =>
  unlessReplaced(body, async () => {
    const current = await client.file(facts.target, { signal: AbortSignal.timeout(deadlines.question) });
    return current !== undefined && hashOf(current)?.value === facts.hash?.value;
  });

async function openExport(client: DriveClient, item: DriveItem, { mimeType }: Export, { range, signal }: ReadOptions): Promise<Body> {
  const response = await exported(client, item.facts.target, mimeType, { signal });
  if (!range || (range.start === 0 && range.end === undefined)) return response.body(item.entry);
  const bytes = await gathered(response);
  if (range.start >= bytes.length) throw new ConnectorError('badRange', 'begins past the end');
  const part = bytes.subarray(range.start, range.end);
  return bodyOf(Readable.from([part]), { size: part.length, entry: item.entry });
}

/** Requests an export. One too large for that call has a separate URL: https://developers.google.com/drive/api/guides/manage-downloads */
async function exported(client: DriveClient, id: string, mimeType: string, { signal }: CallOptions): Promise<HttpResponse> {
  const url = `/drive/v3/files/${encodeURIComponent(id)}`;
  const headers = { accept: '*/*' };
  try {
    return await client.api.send({ method: 'GET', url: `${url}/export`, query: { mimeType }, headers, signal });
  } catch (error) {
    if (!isKind(error, 'unsupported')) throw error;
    const query = { fields: 'exportLinks', supportsAllDrives: true };
    const { exportLinks = {} } = await client.api.json(Links, { method: 'GET', url, query, signal });
    const link = URL.parse(exportLinks[mimeType] ?? '');
    if (!link || !client.isTrusted(link)) throw error;
    return client.api.send({ method: 'GET', url: link.href, headers, signal });
  }
}

const gathered = (response: HttpResponse): Promise<Buffer> =>
  readWhole(response.stream(), longestExport, () => new ConnectorError('unsupported', 'a part of so long an export cannot be given'));

/** Returns Drive's thumbnail of a file; rejects with `unsupported` when there is none. */
export async function openThumbnail(
  client: DriveClient,
  { facts }: DriveItem,
  { size, signal }: CallOptions & { readonly size: number },
): Promise<Body> {
  if (facts.isBroken) throw new ConnectorError('notFound', 'the shortcut leads nowhere');
  const url = `/drive/v3/files/${encodeURIComponent(facts.target)}`;
  const query = { fields: 'thumbnailLink', supportsAllDrives: true };
  const { thumbnailLink = '' } = await client.api.json(Links, { method: 'GET', url, query, signal });
  // The URL ends with the length of the longer side.
  const link = URL.parse(thumbnailLink.replace(/=s\d+$/, `=s${Math.round(size)}`));
  if (!link) throw new ConnectorError('unsupported', 'Drive has no picture of this file');
  const headers = { accept: 'image/*' };
  const response = await client.api.send({ method: 'GET', url: link.href, headers, signal, authorized: client.isTrusted(link) });
  const mimeType = response.headers['content-type'] ?? '';
  if (mimeType.startsWith('image/')) return response.body({ mimeType });
  await response.discard();
  throw new ConnectorError('unexpected', 'the picture is none');
}
