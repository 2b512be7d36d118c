import { ConnectorError, isKind } from '../../core/error.ts';
import type { ListAsk, ListedKeys, StoredObject } from '../../kit/object-store.ts';
import { type XmlElement, scanXml } from '../../kit/xml.ts';
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
    let from: string | undefined;
    do {
      const page = createPage();
      const response = await askPage(base, from, ask.signal);
      for await (const elements of scanXml(response.stream(), listingElements)) {
        const objects = page.take(elements);
        if (objects.length > 0 && !ask.wholePages) yield { objects, prefixes: [], endOfPage: false };
      }
      yield { objects: ask.wholePages ? page.objects() : [], prefixes: page.prefixes(), endOfPage: true };
      from = ask.limit === undefined ? page.next(version) : undefined;
    } while (from !== undefined);
  }

  const askPage = async (base: Record<string, string>, from: string | undefined, signal: AbortSignal) => {
    try {
      return await client.send({ method: 'GET', query: { ...base, ...pageQuery(version, from) }, signal });
    } catch (error) {
      if (version === 1 || from !== undefined || !isKind(error, 'unsupported')) throw error;
      version = 1;
      return client.send({ method: 'GET', query: { ...base, ...pageQuery(version, from) }, signal });
    }
  };

  return list;
}

function pageQuery(version: 1 | 2, from: string | undefined): Record<string, string> {
  if (version === 1) return from === undefined ? {} : { marker: from };
  return { 'list-type': '2', ...(from !== undefined && { 'continuation-token': from }) };
}

/** Gathers what the elements of one page say. */
function createPage() {
  const objects: StoredObject[] = [];
  const prefixes: string[] = [];
  let encoded = false;
  let truncated = false;
  let token: string | undefined;
  let marker: string | undefined;

  const note = (element: XmlElement): void => {
    const { name, text } = element;
    if (name === 'Contents') objects.push(toObject(element, encoded));
    else if (name === 'CommonPrefixes') prefixes.push(toPrefix(element, encoded));
    else if (name === 'IsTruncated') truncated = text === 'true';
    else if (name === 'NextContinuationToken') token = text;
    else if (name === 'NextMarker') marker = toKey(text, encoded);
    else if (objects.length + prefixes.length > 0) throw new ConnectorError('unexpected', 'a listing that tells its encoding too late');
    else encoded = text === 'url';
  };

  return {
    /** The objects among the elements. */
    take(elements: readonly XmlElement[]): StoredObject[] {
      const before = objects.length;
      elements.forEach(note);
      return objects.slice(before);
    },
    objects: () => objects,
    prefixes: () => prefixes,
    /** Where the next page begins; undefined after the last. A version 1 listing tells its marker only when it was delimited. */
    next(version: 1 | 2): string | undefined {
      if (!truncated) return undefined;
      const last = [objects.at(-1)?.key ?? '', prefixes.at(-1) ?? ''].sort().at(-1);
      return version === 2 ? token : (marker ?? last);
    },
  };
}
