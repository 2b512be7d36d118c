import type { Body, Entry } from '@sheaf/connectors';
import { nameOf } from '@sheaf/connectors';
import { rangeOf } from '#/files/bodies/byte-range.ts';
import { S3Error } from '../errors.ts';
import { type ObjectTarget, type S3Answer, type S3Request, headerOf, openObject } from '../request.ts';
import { outcomeOf } from './conditions.ts';
import { objectHeaders } from './headers.ts';
import type { Facts, ObjectMemory } from './memory.ts';

const conditional = ['range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'];
const emptyTag = 'd41d8cd98f00b204e9800998ecf8427e';

/** The file's metadata from its source; throws NoSuchKey for a folder. */
export async function fileAt({ item, path }: ObjectTarget, signal: AbortSignal): Promise<Entry> {
  const entry = await item.connector.stat(path, { signal });
  if (entry.kind === 'folder') throw new S3Error('NoSuchKey');
  return entry;
}

/** GET and HEAD of an object. */
export async function readObject(memory: ObjectMemory, { method, address, headers, window, signal }: S3Request): Promise<S3Answer> {
  const target = await openObject(window, address);
  const { item, path } = target;
  if (target.isFolder) return readMarker(memory, target, signal);
  const asksFirst = method === 'HEAD' || conditional.some((name) => headers[name] !== undefined);
  const known = asksFirst ? await fileAt(target, signal) : undefined;
  const described = async (facts: Facts & { mimeType?: string }) => {
    const object = await memory.of(item, path, facts);
    return { object, head: objectHeaders(path, facts, object) };
  };
  if (known) {
    const { object, head } = await described(known);
    const outcome = outcomeOf(headers, { etag: object.etag, modified: known.modified });
    if (outcome === 'fails') throw new S3Error('PreconditionFailed');
    if (outcome === 'unchanged') return { status: 304, headers: { etag: head['etag'] ?? '' } };
    const range =
      known.size === undefined || !isOfSame(headers['if-range'], head) ? undefined : rangeOf(headerOf(headers, 'range'), known.size);
    if (range === 'unsatisfiable') throw new S3Error('InvalidRange');
    const length = range ? range.end - range.start : known.size;
    const all = {
      ...head,
      ...(length !== undefined && { 'content-length': length }),
      ...(range && { 'content-range': `bytes ${range.start}-${range.end - 1}/${known.size}` }),
    };
    const status = range ? 206 : 200;
    if (method === 'HEAD') return { status, headers: all };
    const body = await item.connector.read(path, { signal, known, ...(range && { range }) });
    return { status, headers: all, file: fileOf(target, body, length) };
  }
  const file = await window.content.openFile(item.userId, item.linkUri);
  const body = await file.read(signal);
  const size = body.entry.size ?? body.size;
  try {
    const { head } = await described({ ...body.entry, ...(size !== undefined && { size }) });
    return { status: 200, headers: { ...head, ...(size !== undefined && { 'content-length': size }) }, file: fileOf(target, body, size) };
  } catch (error) {
    body.cancel();
    throw error;
  }
}

const isOfSame = (condition: string | string[] | undefined, head: Readonly<Record<string, string>>): boolean =>
  condition === undefined || condition === head['etag'] || condition === head['last-modified'];

const fileOf = ({ item }: ObjectTarget, body: Body, expected: number | undefined): NonNullable<S3Answer['file']> => {
  if (body.size !== undefined && expected !== undefined && body.size !== expected) {
    body.cancel();
    throw new S3Error('InternalError');
  }
  return { body, provider: item.provider, ...(expected !== undefined && { expected }) };
};

/** Answers for a folder, which S3 sees as an empty object with a final slash. */
async function readMarker(memory: ObjectMemory, { item, path }: ObjectTarget, signal: AbortSignal): Promise<S3Answer> {
  const entry = await item.connector.stat(path, { signal });
  if (entry.kind !== 'folder') throw new S3Error('NoSuchKey');
  const mark = await memory.markAt(item, path);
  const { modified } = entry;
  const object = { etag: mark?.etag ?? emptyTag, meta: mark ? (JSON.parse(mark.meta) as { own: Record<string, string> }) : { own: {} } };
  const head = objectHeaders(path, { ...(modified !== undefined && { modified }) }, object);
  return {
    status: 200,
    headers: { ...head, 'content-length': 0, 'content-disposition': `attachment; filename="${nameOf(path).replace(/[^\w.-]/g, '_')}"` },
  };
}
