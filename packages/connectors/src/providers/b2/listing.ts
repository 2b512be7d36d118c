import type { Static } from 'typebox';
import { isUnclear, patiently } from '../../kit/concurrency/patience.ts';
import type { ListAsk, ListedKeys } from '../../kit/object-store/object-store.ts';
import { FilesAnswer, toObject } from './api.ts';
import type { Buckets } from './buckets.ts';
import type { B2Client } from './client.ts';
import { addressOf, keyOf } from './names.ts';

/** Lists buckets and what is in them, as keys of one store; `pageSize` names per page, of which B2 bills every thousand. */
export const createListing = (client: B2Client, buckets: Buckets, pageSize: number) =>
  async function* list(prefix: string, ask: ListAsk): AsyncGenerator<ListedKeys> {
    const { deep, limit, signal } = ask;
    if (!prefix.includes('/')) {
      const names = [...(await buckets.all(signal)).keys()].filter((name) => name.startsWith(prefix)).sort();
      yield { objects: [], prefixes: names.map((name) => `${name}/`), endOfPage: true };
      return;
    }
    const { bucket, name } = addressOf(prefix);
    const bucketId = await buckets.idOf(bucket, signal);
    if (bucketId === undefined) return;
    // A bucket is there without anything in it, as a folder with a keeper is.
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
      // Whoever has the first page cannot begin anew.
      const page: Static<typeof FilesAnswer> = await (startFileName === null ? ask() : patiently(signal, ask, isUnclear));
      yield {
        objects: page.files.filter(({ action }) => action !== 'folder').map((file) => toObject(bucket, file)),
        prefixes: page.files.filter(({ action }) => action === 'folder').map(({ fileName }) => keyOf(bucket, fileName)),
        endOfPage: true,
      };
      startFileName = limit === undefined ? page.nextFileName : null;
    } while (startFileName !== null);
  };

/**
 * What to ask for so that a key which is kept to some names may ask it: the names wanted, the one folder that leads to what the key may see, or nothing
 * when it may see nothing there.
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
