import { isOutcomeUnknown, retryWhileBusy } from '../../../kit/concurrency/retry-busy.ts';
import type { ListOptions, ListedKeys } from '../../../kit/object-store/object-store.ts';
import type { Api } from '../../../kit/rest/api.ts';
import { parseJson } from '../../../kit/rest/json.ts';
import { ObjectList, isName, listFields, toObject } from './api.ts';
import { noBucketStatuses, ofBucket } from './errors.ts';

const answerLimit = 32 * 1024 * 1024;

/**
 * Lists a bucket page by page, at most `pageSize` objects each; pages are sequential, because each contains the next page token. `path` is
 * the bucket's URL path.
 */
export const createListing = (api: Api, path: string, pageSize: number) =>
  async function* list(prefix: string, { signal, deep, limit }: ListOptions): AsyncGenerator<ListedKeys> {
    // Nothing can exist below an invalid name.
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
      // Only the first page can be retried: later pages continue a listing that the caller has already seen.
      const response = await ofBucket(await (pageToken === '' ? send() : retryWhileBusy(signal, send, isOutcomeUnknown)));
      const { items = [], prefixes = [], nextPageToken } = parseJson(ObjectList, await response.text(answerLimit));
      yield { objects: items.map(toObject), prefixes, endOfPage: true };
      pageToken = nextPageToken;
    } while (pageToken && limit === undefined);
  };
