import { isDeepStrictEqual } from 'node:util';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { ListAsk, ListedKeys, StoredObject } from '../../kit/object-store/object-store.ts';
import { type XmlElement, scanXml } from '../../kit/xml/xml.ts';
import { listingElements, toKey, toObject, toPrefix } from './api.ts';
import type { S3Client } from './client.ts';
import type { Flavour } from './flavours.ts';

interface Options {
  readonly flavour: Flavour;
  /** Keys per page, 1000 at most. */
  readonly pageSize: number;
}

type List = (prefix: string, ask: ListAsk) => AsyncGenerator<ListedKeys>;

/** Lists a bucket page by page: version 2 of the call, or version 1 with a service that does not know it. */
export function createListing(client: S3Client, { flavour, pageSize }: Options): List {
  let version: 1 | 2 = 2;

  async function* list(prefix: string, ask: ListAsk): AsyncGenerator<ListedKeys> {
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

/** Gathers what the elements of one page say. */
function createPage({ encodesKeys }: Flavour) {
  const objects: StoredObject[] = [];
  const prefixes: string[] = [];
  /** Elements with keys that came before it was known how those are written: some services, MinIO among them, tell it after all of them. */
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
    /** The objects among the elements, as far as their keys can be read already. */
    take: (elements: readonly XmlElement[]): StoredObject[] => added(() => elements.forEach(note)),
    /** The objects that were left. A service that has not told an encoding has none. */
    end: (): StoredObject[] => added(() => decode(encoded ?? false)),
    objects: () => objects,
    prefixes: () => prefixes,
    /**
     * What asks for the next page; undefined after the last. A page without a token is of version 1, also where version 2 was asked for and the service took no
     * notice; it tells its marker only when it was delimited. Throws when the page is to begin where this one has begun: it would never end.
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

/** The last key in the order of the service, which is that of the bytes. */
const lastOf = (keys: readonly (string | undefined)[]): string =>
  keys
    .map((key) => Buffer.from(key ?? ''))
    .sort(Buffer.compare)
    .at(-1)
    ?.toString() ?? '';
