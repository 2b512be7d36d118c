import type { Static } from 'typebox';
import { isOutcomeUnknown, retryWhileBusy } from '../../kit/concurrency/retry-busy.ts';
import type { ListOptions, ListedKeys } from '../../kit/object-store/object-store.ts';
import { FilesAnswer, toObject } from './api.ts';
import type { Buckets } from './buckets.ts';
import type { B2Client } from './client.ts';
import { addressOf, keyOf } from './names.ts';

/** Lists buckets and their contents as keys of one store; `pageSize` names per page. B2 bills per thousand names. */
export const createListing = (client: B2Client, buckets: Buckets, pageSize: number) =>
  async function* list(prefix: string, ask: ListOptions): AsyncGenerator<ListedKeys> {
    const { deep, limit, signal } = ask;
    if (!prefix.includes('/')) {
      const names = [...(await buckets.all(signal)).keys()].filter((name) => name.startsWith(prefix)).sort();
      yield { objects: [], prefixes: names.map((name) => `${name}/`), endOfPage: true };
      return;
    }
    const { bucket, name } = addressOf(prefix);
    const bucketId = await buckets.idOf(bucket, signal);
    if (bucketId === undefined) return;
    // An empty bucket exists, like a folder with a placeholder file.
    if (name === '') yield { objects: [{ key: prefix, size: 0 }], prefixes: [], endOfPage: false };
    if (name === '' && limit === 1) return;
    const begin = beginningOf((await client.authorized(signal)).namePrefix, name, deep);
    if (begin === undefined) return;
    if ('folder' in begin) return yield { objects: [], prefixes: [keyOf(bucket, begin.folder)], endOfPage: true };
    let startFileName: string | null = null;
    do {
      const json = {
        bucketId,
        prefix: begin.prefix,
        maxFileCount: Math.min(pageSize, limit ?? pageSize),
        ...(!deep && { delimiter: '/' }),
        ...(startFileName !== null && { startFileName }),
      };
      const ask = () => client.call('b2_list_file_names', FilesAnswer, json, signal);
      // Only the first page can be retried: later pages continue a listing that the caller has already seen.
      const page: Static<typeof FilesAnswer> = await (startFileName === null ? ask() : retryWhileBusy(signal, ask, isOutcomeUnknown));
      yield {
        objects: page.files.filter(({ action }) => action !== 'folder').map((file) => toObject(bucket, file)),
        prefixes: page.files.filter(({ action }) => action === 'folder').map(({ fileName }) => keyOf(bucket, fileName)),
        endOfPage: true,
      };
      startFileName = limit === undefined ? page.nextFileName : null;
    } while (startFileName !== null);
  };

/**
 * Returns the prefix to list so that a key restricted to a name prefix may list it: the wanted prefix, the one folder that leads to the
 * permitted names, or undefined when nothing there is permitted.
 */
function beginningOf(
  allowed: string,
  wanted: string,
  deep: boolean,
): { readonly prefix: string } | { readonly folder: string } | undefined {
  if (wanted.startsWith(allowed)) return { prefix: wanted };
  if (!allowed.startsWith(wanted)) return undefined;
  const cut = allowed.indexOf('/', wanted.length);
  return cut < 0 || deep ? { prefix: allowed } : { folder: allowed.slice(0, cut + 1) };
}
