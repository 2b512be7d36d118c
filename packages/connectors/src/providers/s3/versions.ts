import type { CallOptions } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { type KeptVersion, mostVersions } from '../../core/replacing.ts';
import { isOutcomeUnknown, retryWhileBusy } from '../../kit/concurrency/retry-busy.ts';
import { partOf, rangeHeader } from '../../kit/http/part-of.ts';
import type { StoredObject } from '../../kit/object-store/object-store.ts';
import { type HiddenObject, type HiddenPage, type ObjectVersions, keptByBucket } from '../../kit/object-store/object-versions.ts';
import { scanXml } from '../../kit/xml/xml.ts';
import { type ObjectVersion, toVersion, versionElements } from './api.ts';
import type { S3Client } from './client.ts';
import { isBadArgument } from './errors.ts';
import type { Flavour } from './flavours.ts';

interface Deps {
  readonly client: S3Client;
  readonly flavour: Flavour;
  readonly pageSize: number;
  /** Makes a version the newest one of its key, inside the store. */
  readonly copy: (from: StoredObject, version: string, ask: CallOptions) => Promise<void>;
  /** The headers of an object, or of one of its versions. */
  readonly headersOf: (key: string, version: string | undefined, ask: CallOptions) => Promise<Readonly<Record<string, string>>>;
  readonly objectOf: (key: string, headers: Readonly<Record<string, string>>) => StoredObject;
}

/** Where a page begins: after that version of that key. */
interface From {
  readonly key: string;
  readonly version: string;
}

/**
 * Versions of a bucket with versioning: https://docs.aws.amazon.com/AmazonS3/latest/userguide/Versioning.html. A deletion is a marker, which hides what the key
 * had.
 */
export function createVersions({ client, flavour, pageSize, copy, headersOf, objectOf }: Deps): ObjectVersions {
  /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketVersioning.html */
  const keeps = keptByBucket(async ({ signal }) => {
    const answer = await client.send({ method: 'GET', query: { versioning: '' }, signal });
    return /<Status>\s*Enabled\s*<\/Status>/.test(await answer.text());
  });

  /** One page of versions and markers, by key and the newest first. https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectVersions.html */
  async function pageFrom(prefix: string, from: From | undefined, { signal }: CallOptions) {
    const query = {
      versions: '',
      prefix,
      'max-keys': String(pageSize),
      ...(flavour.encodesKeys && { 'encoding-type': 'url' }),
      ...(from && { 'key-marker': from.key, 'version-id-marker': from.version }),
    };
    const send = () => client.send({ method: 'GET', query, signal });
    const response = await retryWhileBusy(signal, send, isOutcomeUnknown);
    const elements = (await Array.fromAsync(scanXml(response.stream(), versionElements))).flat();
    const encoded = flavour.encodesKeys && elements.some(({ name, text }) => name === 'EncodingType' && text === 'url');
    const versions = elements.filter(({ name }) => name === 'Version' || name === 'DeleteMarker').map((one) => toVersion(one, encoded));
    const last = versions.at(-1);
    const isLast = !elements.some(({ name, text }) => name === 'IsTruncated' && text === 'true');
    if (!isLast && (!last || (last.key === from?.key && last.version === from.version)))
      throw new ConnectorError('unexpected', 'a listing of versions that does not go on');
    return { versions, next: isLast ? undefined : last };
  }

  async function* pagesOf(prefix: string, ask: CallOptions): AsyncGenerator<readonly ObjectVersion[]> {
    let from: From | undefined;
    do {
      const { versions, next } = await pageFrom(prefix, from, ask);
      yield versions;
      from = next;
    } while (from);
  }

  async function restore(key: string, version: string, ask: CallOptions): Promise<void> {
    const headers = await ofVersion(version, () => headersOf(key, version, ask));
    await copy(objectOf(key, headers), version, ask);
  }

  return {
    keeps,
    of: ({ version }) => version,

    restore,

    async earlier({ key, version }, ask) {
      const found: KeptVersion[] = [];
      // An object's own versions come before those of longer keys.
      for await (const versions of pagesOf(key, ask))
        for (const one of versions) {
          if (one.key !== key || found.length === mostVersions) return found;
          if (one.isMarker || one.version === version || (version === undefined && one.isLatest)) continue;
          found.push({ id: one.version, size: one.size, ...(one.modified !== undefined && { modified: one.modified }) });
        }
      return found;
    },

    async read(key, version, { range, signal }) {
      const ask = { method: 'GET', key, query: { versionId: version }, headers: rangeHeader(range), signal } as const;
      return partOf(await ofVersion(version, () => client.send(ask)), range);
    },

    async clock(key, ask) {
      const told = Date.parse((await headersOf(key, undefined, ask))['date'] ?? '');
      return Number.isFinite(told) ? told : Date.now();
    },

    async *hidden(prefix, ask) {
      // What a marker hides comes right after it, perhaps on the next page.
      let marker: ObjectVersion | undefined;
      for await (const versions of pagesOf(prefix, ask)) {
        yield hiddenIn(marker ? [marker, ...versions] : versions);
        marker = openMarker(versions);
      }
    },

    async pageOfHidden(cursor, ask): Promise<HiddenPage> {
      const { versions, next } = await pageFrom('', cursor === undefined ? undefined : fromOf(cursor), ask);
      // A name that was taken again has left the bin.
      const objects = hiddenIn(versions, 'latest');
      if (!next) return { objects };
      // A marker at the end is told with the next page, where what it hides is.
      const end = openMarker(versions) && versions.length > 1 ? versions.at(-2) : versions.at(-1);
      return { objects, ...(end && { cursor: JSON.stringify([end.key, end.version]) }) };
    },

    async reveal({ key, marker, version }, ask) {
      const { signal } = ask;
      // OpenStack Swift waits for a body whose length it is not told.
      const headers = { 'content-length': '0' };
      const answer = await client.send({ method: 'DELETE', key, query: { versionId: marker }, headers, signal });
      await answer.discard();
      // Nor does it then show the version of a key that is not of ASCII alone.
      if (flavour.amazon || version === undefined) return;
      try {
        await headersOf(key, undefined, ask);
      } catch (error) {
        if (!isKind(error, 'notFound')) throw error;
        await restore(key, version, ask);
      }
    },
  };
}

/** What the markers among these hide, or only those that are the newest of their keys. */
function hiddenIn(versions: readonly ObjectVersion[], which: 'all' | 'latest' = 'all'): HiddenObject[] {
  return versions.flatMap((marker, index) => {
    const below = versions[index + 1];
    if (!marker.isMarker || (which === 'latest' && !marker.isLatest) || !below || below.isMarker || below.key !== marker.key) return [];
    const { key, version, modified = 0 } = marker;
    return [{ key, marker: version, version: below.version, at: modified * 1000, size: below.size }];
  });
}

/** The last of these, if it is a marker: what it hides is not among them. */
function openMarker(versions: readonly ObjectVersion[]): ObjectVersion | undefined {
  const last = versions.at(-1);
  return last?.isMarker ? last : undefined;
}

function fromOf(cursor: string): From {
  const [, key, version] = /^\["((?:[^"\\]|\\.)*)","([^"\\]*)"\]$/s.exec(cursor) ?? [];
  if (key === undefined || version === undefined) throw new ConnectorError('notFound', 'a cursor that no page has given');
  return { key: String(JSON.parse(`"${key}"`)), version };
}

/** Rejects with `notFound` for an id of no form that services have; others refuse theirs as a bad argument. */
async function ofVersion<T>(version: string, ask: () => Promise<T>): Promise<T> {
  const missing = (cause?: unknown) => new ConnectorError('notFound', 'the object has no such version', { cause });
  if (!/^[\w.~+=/-]{1,1024}$/.test(version)) throw missing();
  try {
    return await ask();
  } catch (error) {
    throw isBadArgument(error) ? missing(error) : error;
  }
}
