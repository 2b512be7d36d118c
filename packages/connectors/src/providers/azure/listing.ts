import type { CallOptions } from '../../core/connector.ts';
import { isOutcomeUnknown, retryWhileBusy } from '../../kit/concurrency/retry-busy.ts';
import type { ListOptions, ListedKeys, StoredObject } from '../../kit/object-store/object-store.ts';
import { scanXml } from '../../kit/xml/xml.ts';
import { type BlobState, isStub, listingElements, toKey, toObject, toState } from './api.ts';
import type { AzureClient } from './client.ts';
import { blobNameOf } from './names.ts';

/**
 * Lists a container page by page, at most `pageSize` blobs each. Directory stubs are not listed as files of their folder, but are included
 * in a recursive listing: they mark the prefix as a folder and are copied and deleted with it. An empty page may be followed by another.
 */
export const createListing = (client: AzureClient, pageSize: number) =>
  async function* list(prefix: string, ask: ListOptions): AsyncGenerator<ListedKeys> {
    const query = {
      restype: 'container',
      comp: 'list',
      include: 'metadata',
      maxresults: String(Math.min(pageSize, ask.limit ?? pageSize)),
      ...(prefix !== '' && { prefix: blobNameOf(prefix) }),
      ...(!ask.deep && { delimiter: '/' }),
    };
    let marker = '';
    let found = 0;
    do {
      const response = await client.send({ method: 'GET', query: { ...query, ...(marker && { marker }) }, signal: ask.signal });
      const held: StoredObject[] = [];
      const prefixes: string[] = [];
      marker = '';
      for await (const elements of scanXml(response.stream(), listingElements)) {
        const objects: StoredObject[] = [];
        for (const element of elements) {
          if (element.name === 'NextMarker') marker = element.text;
          else if (element.name === 'BlobPrefix') prefixes.push(toKey(element));
          else if (ask.deep || !isStub(element)) objects.push(toObject(element));
        }
        found += objects.length;
        if (ask.wholePages) held.push(...objects);
        else if (objects.length > 0) yield { objects, prefixes: [], endOfPage: false };
      }
      found += prefixes.length;
      yield { objects: held, prefixes, endOfPage: true };
    } while (marker !== '' && (ask.limit === undefined || found < ask.limit));
  };

/** What a listing includes besides present blobs. */
export type Included = 'deleted' | 'deletedwithversions' | 'snapshots' | 'versions';

interface StatesAsk extends CallOptions {
  readonly prefix?: string;
  readonly include: readonly Included[];
  /** Blobs on the page, at most 5000. */
  readonly size: number;
  /** The marker of the page; absent for the first one. */
  readonly marker?: string | undefined;
}

/** One page of a listing by name that also has what is not present, and the marker of the next page. */
export async function pageOfStates(client: AzureClient, { prefix = '', include, size, marker, signal }: StatesAsk) {
  const query = {
    restype: 'container',
    comp: 'list',
    include: ['metadata', ...include].join(','),
    maxresults: String(size),
    ...(prefix !== '' && { prefix: blobNameOf(prefix) }),
    ...(marker && { marker }),
  };
  const response = await retryWhileBusy(signal, () => client.send({ method: 'GET', query, signal }), isOutcomeUnknown);
  const elements = (await Array.fromAsync(scanXml(response.stream(), listingElements))).flat();
  const states: readonly BlobState[] = elements.filter(({ name }) => name === 'Blob').map(toState);
  const next = elements.find(({ name }) => name === 'NextMarker')?.text;
  return { states, next: next === '' ? undefined : next };
}

/** Yields the names of a listing page by page, each with all its states, which may begin on one page and end on the next. */
export async function* namesWithStates(client: AzureClient, ask: Omit<StatesAsk, 'marker'>): AsyncGenerator<(readonly BlobState[])[]> {
  let open: readonly BlobState[] = [];
  let marker: string | undefined;
  do {
    const { states, next } = await pageOfStates(client, { ...ask, marker });
    const names: (readonly BlobState[])[] = [...Map.groupBy([...open, ...states], ({ object }) => object.key).values()];
    open = next === undefined ? [] : (names.pop() ?? []);
    yield names;
    marker = next;
  } while (marker !== undefined);
}
