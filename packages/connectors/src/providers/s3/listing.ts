import { isDeepStrictEqual } from 'node:util';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { ListOptions, ListedKeys, StoredObject } from '../../kit/object-store/object-store.ts';
import { type XmlElement, scanXml } from '../../kit/xml/xml.ts';
import { listingElements, toKey, toObject, toPrefix } from './api.ts';
import type { S3Client } from './client.ts';
import type { Flavour } from './flavours.ts';

interface Options {
  readonly flavour: Flavour;
  /** Keys per page, at most 1000. */
  readonly pageSize: number;
}

type List = (prefix: string, ask: ListOptions) => AsyncGenerator<ListedKeys>;

/** Lists a bucket page by page: with version 2 of the call, or version 1 for a service that does not support it. */
export function createListing(client: S3Client, { flavour, pageSize }: Options): List {
  let version: 1 | 2 = 2;

  async function* list(prefix: string, ask: ListOptions): AsyncGenerator<ListedKeys> {
    const base = {
      prefix,
      'max-keys': String(Math.min(pageSize, ask.limit ?? pageSize)),
      ...(!ask.deep && { delimiter: '/' }),
      ...(flavour.encodesKeys && { 'encoding-type': 'url' }),
    };
    let from: Query | undefined;
    do {
      const page = createPage(flavour);
      const response = await askPage(base, from, ask.signal);
      for await (const elements of scanXml(response.stream(), listingElements)) {
        const objects = page.take(elements);
        if (objects.length > 0 && !ask.wholePages) yield { objects, prefixes: [], endOfPage: false };
      }
      const rest = page.end();
      yield { objects: ask.wholePages ? page.objects() : rest, prefixes: page.prefixes(), endOfPage: true };
      from = ask.limit === undefined ? page.next(from) : undefined;
    } while (from !== undefined);
  }

  const askPage = async (base: Query, from: Query | undefined, signal: AbortSignal) => {
    if (from) return client.send({ method: 'GET', query: { ...base, ...from }, signal });
    try {
      return await client.send({ method: 'GET', query: { ...base, ...(version === 2 && version2) }, signal });
    } catch (error) {
      if (version === 1 || !isKind(error, 'unsupported')) throw error;
      version = 1;
      return client.send({ method: 'GET', query: base, signal });
    }
  };

  return list;
}

type Query = Readonly<Record<string, string>>;
const version2 = { 'list-type': '2' };

/** Collects the elements of one page. */
function createPage({ encodesKeys }: Flavour) {
  const objects: StoredObject[] = [];
  const prefixes: string[] = [];
  /** Elements received before the encoding of keys is known: some services, such as MinIO, send it after all keys. */
  let held: XmlElement[] = [];
  let encoded = encodesKeys ? undefined : false;
  let truncated = false;
  let token: string | undefined;
  let marker: string | undefined;

  const decode = (isEncoded: boolean): void => {
    encoded = isEncoded;
    const waiting = held;
    held = [];
    waiting.forEach(note);
  };

  const note = (element: XmlElement): void => {
    const { name, text } = element;
    if (name === 'IsTruncated') truncated = text === 'true';
    else if (name === 'NextContinuationToken') token = text;
    else if (name === 'EncodingType') decode(text === 'url');
    else if (encoded === undefined) held.push(element);
    else if (name === 'Contents') objects.push(toObject(element, encoded));
    else if (name === 'CommonPrefixes') prefixes.push(toPrefix(element, encoded));
    else marker = toKey(text, encoded);
  };

  const added = (work: () => void): StoredObject[] => {
    const before = objects.length;
    work();
    return objects.slice(before);
  };

  return {
    /** Returns the objects among the elements whose keys can already be decoded. */
    take: (elements: readonly XmlElement[]): StoredObject[] => added(() => elements.forEach(note)),
    /** Returns the remaining objects. A service that sends no encoding type does not encode. */
    end: (): StoredObject[] => added(() => decode(encoded ?? false)),
    objects: () => objects,
    prefixes: () => prefixes,
    /**
     * Returns the query of the next page; undefined after the last. A page without a token is of version 1, also when the service ignored
     * the request for version 2; it contains a marker only for delimited listings. Throws when the next page would start where this one
     * did, which would loop forever.
     */
    next(from: Query | undefined): Query | undefined {
      if (!truncated) return undefined;
      const next = token
        ? { ...version2, 'continuation-token': token }
        : { marker: marker || lastOf([objects.at(-1)?.key, prefixes.at(-1)]) };
      if (next['marker'] === '' || isDeepStrictEqual(next, from)) throw new ConnectorError('unexpected', 'a listing that does not go on');
      return next;
    },
  };
}

/** Returns the last key in the service's order, which is by bytes. */
const lastOf = (keys: readonly (string | undefined)[]): string =>
  keys
    .map((key) => Buffer.from(key ?? ''))
    .sort(Buffer.compare)
    .at(-1)
    ?.toString() ?? '';
