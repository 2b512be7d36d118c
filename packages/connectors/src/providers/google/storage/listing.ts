import { isUnclear, patiently } from '../../../kit/concurrency/patience.ts';
import type { ListAsk, ListedKeys } from '../../../kit/object-store/object-store.ts';
import type { Api } from '../../../kit/rest/api.ts';
import { parseJson } from '../../../kit/rest/json.ts';
import { ObjectList, isName, listFields, toObject } from './api.ts';
import { noBucketStatuses, ofBucket } from './errors.ts';

const answerLimit = 32 * 1024 * 1024;

/** Lists a bucket page by page, at most `pageSize` objects each: every page tells where the next begins. `path` is the bucket's address. */
export const createListing = (api: Api, path: string, pageSize: number) =>
  async function* list(prefix: string, { signal, deep, limit }: ListAsk): AsyncGenerator<ListedKeys> {
    // Nothing can lie below what is no name.
    if (prefix !== '' && !isName(prefix)) return;
    const query = {
      maxResults: Math.min(pageSize, limit ?? pageSize),
      fields: listFields,
      ...(prefix !== '' && { prefix }),
      ...(!deep && { delimiter: '/' }),
    };
    let pageToken: string | undefined = '';
    do {
      const from: { readonly pageToken?: string } = pageToken === '' ? {} : { pageToken };
      const ask = { method: 'GET', url: `${path}/o`, query: { ...query, ...from }, signal, accepts: noBucketStatuses };
      const send = () => api.send(ask);
      // Whoever has the first page cannot begin anew.
      const response = await ofBucket(await (pageToken === '' ? send() : patiently(signal, send, isUnclear)));
      const { items = [], prefixes = [], nextPageToken } = parseJson(ObjectList, await response.text(answerLimit));
      yield { objects: items.map(toObject), prefixes, endOfPage: true };
      pageToken = nextPageToken;
    } while (pageToken && limit === undefined);
  };
