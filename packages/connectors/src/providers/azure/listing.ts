import type { ListOptions, ListedKeys, StoredObject } from '../../kit/object-store/object-store.ts';
import { scanXml } from '../../kit/xml/xml.ts';
import { isStub, listingElements, toKey, toObject } from './api.ts';
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
