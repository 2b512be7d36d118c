import type { Listings } from '#/files/listings/service.ts';
import { bucketsOf, rootBucket } from '#/serving/programs/buckets.ts';
import { S3Error } from '../errors.ts';
import type { ObjectMemory } from '../objects/memory.ts';
import { type S3Answer, type S3Request, numberIn, openBucket } from '../request.ts';
import { encode } from '../signing/signature.ts';
import { documentOf, element, group, isoTime } from '../xml.ts';
import { type Listed, compareBytes, walk } from './walk.ts';

interface Deps {
  readonly listings: Listings;
  readonly memory: ObjectMemory;
}

/** Most keys of an answer, as in S3. */
const mostKeys = 1000;

/** Where a listing continues: after a key, or after all keys with a prefix. */
interface Position {
  readonly after: string;
  readonly isAfterAll: boolean;
}

const tokenOf = ({ after, isAfterAll }: Position): string => Buffer.from(`${isAfterAll ? 'p' : 'k'}${after}`).toString('base64url');
function positionOf(token: string): Position {
  const text = Buffer.from(token, 'base64url').toString('utf8');
  if (!/^[pk]./s.test(text)) throw new S3Error('InvalidArgument', 'The continuation token is not valid.');
  return { after: text.slice(1), isAfterAll: text.startsWith('p') };
}

/** ListObjects, in both versions. */
export async function listObjects(deps: Deps, { address: { bucket }, query, window, signal }: S3Request): Promise<S3Answer> {
  const isSecond = query.get('list-type') === '2';
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const limit = numberIn(query, 'max-keys', { most: mostKeys, preset: mostKeys });
  const encoding = query.get('encoding-type') ?? undefined;
  if (encoding !== undefined && encoding !== 'url') throw new S3Error('InvalidArgument', 'The only encoding-type is url.');
  const token = query.get('continuation-token') ?? undefined;
  if (token === '') throw new S3Error('InvalidArgument', 'The continuation token is not valid.');
  const startAfter = (isSecond ? query.get('start-after') : query.get('marker')) ?? '';
  const isPrefixMarker = !isSecond && delimiter !== '' && startAfter.endsWith(delimiter);
  const start = isSecond && token !== undefined ? positionOf(token) : { after: startAfter, isAfterAll: isPrefixMarker };
  const told = (text: string): string => (encoding === 'url' ? encode(text).replaceAll('%2F', '/') : text);

  const found: Listed[] = [];
  let isTruncated = false;
  const source = bucket === undefined ? inAllLinks : inLink;
  const rollUp = rollingUp(prefix, delimiter, start);
  if (limit > 0)
    for await (const some of source(start, limit + 1)) {
      found.push(...rollUp(some));
      isTruncated = found.length > limit;
      if (isTruncated) break;
    }
  found.length = Math.min(found.length, limit);

  async function* inLink(from: Position, wanted: number, name = bucket ?? '', within = prefix): AsyncGenerator<readonly Listed[]> {
    const { userLinkId } = await openBucket(window, name);
    const options = { window, userLinkId, prefix: within, ...from, isFlat: delimiter === '/', limit: wanted, signal };
    yield* walk(deps, options);
  }

  /** The bucket that holds a folder for each link. */
  async function* inAllLinks(from: Position, wanted: number): AsyncGenerator<readonly Listed[]> {
    const names = bucketsOf(await window.places()).map(({ name }) => name);
    for (const name of names.sort(compareBytes)) {
      const start = `${name}/`;
      const isWithin = prefix.startsWith(start);
      if (!isWithin && !start.startsWith(prefix)) continue;
      const isBefore = compareBytes(from.after, start) < 0;
      if (!isBefore && (!from.after.startsWith(start) || (from.isAfterAll && from.after === start))) continue;
      if (!isWithin && delimiter === '/') {
        if (isBefore) yield [{ prefix: start }];
        continue;
      }
      const inside = { ...from, after: isBefore ? '' : from.after.slice(start.length) };
      for await (const some of inLink(inside, wanted, name, isWithin ? prefix.slice(start.length) : ''))
        yield some.map((one) => ('key' in one ? { ...one, key: start + one.key } : { prefix: start + one.prefix }));
    }
  }

  const last = found.at(-1);
  const end = last && { after: 'key' in last ? last.key : last.prefix, isAfterAll: !('key' in last) };
  // Sources report times of files only, so that a folder shows none.
  const contents = found.map((one) =>
    'key' in one
      ? group(
          'Contents',
          element('Key', told(one.key)),
          element('LastModified', isoTime(one.modified ?? 0)),
          element('ETag', `"${one.etag}"`),
          element('Size', one.size),
          element('StorageClass', 'STANDARD'),
        )
      : '',
  );
  const prefixes = found.map((one) => ('key' in one ? '' : group('CommonPrefixes', element('Prefix', told(one.prefix)))));
  const common = [
    element('Name', bucket ?? rootBucket),
    element('Prefix', told(prefix)),
    ...(delimiter === '' ? [] : [element('Delimiter', told(delimiter))]),
    element('MaxKeys', limit),
    element('EncodingType', encoding),
    element('IsTruncated', isTruncated),
  ];
  const paging = isSecond
    ? [
        element('KeyCount', found.length),
        element('ContinuationToken', token),
        ...(startAfter === '' ? [] : [element('StartAfter', told(startAfter))]),
        element('NextContinuationToken', isTruncated && end ? tokenOf(end) : undefined),
      ]
    : [element('Marker', told(startAfter)), element('NextMarker', isTruncated && end ? told(end.after) : undefined)];
  return { status: 200, body: documentOf('ListBucketResult', ...common, ...paging, ...contents, ...prefixes) };
}

/** Replaces keys that share the part up to a delimiter by one common prefix, also across consecutive lists. */
function rollingUp(prefix: string, delimiter: string, start: Position): (listed: readonly Listed[]) => readonly Listed[] {
  if (delimiter === '') return (listed) => listed;
  let last = start.isAfterAll ? start.after : undefined;
  return (listed) => {
    const rolled: Listed[] = [];
    for (const one of listed) {
      const at = 'key' in one ? one.key.indexOf(delimiter, prefix.length) : -1;
      if (at < 0 || !('key' in one)) {
        rolled.push(one);
        continue;
      }
      const common = one.key.slice(0, at + delimiter.length);
      if (common === last) continue;
      last = common;
      rolled.push({ prefix: common });
    }
    return rolled;
  };
}

/** ListBuckets. */
export async function listBuckets({ window }: S3Request): Promise<S3Answer> {
  const buckets = bucketsOf(await window.places());
  const owner = group('Owner', element('ID', window.program.accountId), element('DisplayName', ''));
  const all = buckets
    .sort((one, other) => compareBytes(one.name, other.name))
    .map(({ name }) => group('Bucket', element('Name', name), element('CreationDate', isoTime(0))));
  return { status: 200, body: documentOf('ListAllMyBucketsResult', owner, group('Buckets', ...all)) };
}
