import type { CallOptions, Change, Changes, Entry, Found } from '../../core/connector.ts';
import { isKind } from '../../core/error.ts';
import { joinPath } from '../../kit/names/path.ts';
import { pagesInSequence } from '../../kit/rest/paging.ts';
import { Cursor, type Metadata, Page, SearchPage, pathArg, placeOf, toEntry } from './api.ts';
import type { DropboxClient } from './client.ts';

/** Dropbox's maximum page size. */
const pageSize = 2000;
const searchPageSize = 500;
/** Maximum pages of changes per call; the cursor continues with the rest. */
const mostPages = 50;

/** Lists the folder's entries page by page. */
export async function* listFolder(client: DropboxClient, folder: string, { signal }: CallOptions): AsyncGenerator<readonly Entry[]> {
  const pages = pagesInSequence('', { signal }, async (cursor) => {
    const page =
      cursor === ''
        ? await client.call(Page, 'files/list_folder', { path: pathArg(folder), limit: pageSize }, signal)
        : await client.call(Page, 'files/list_folder/continue', { cursor }, signal);
    return { page: page.entries, ...(page.has_more && { next: page.cursor }) };
  });
  for await (const entries of pages) if (entries.length > 0) yield entries.map((metadata) => toEntry(metadata));
}

/** Returns matching items below the folder; Dropbox matches names and contents. */
export async function* searchFolder(
  client: DropboxClient,
  folder: string,
  { query, signal }: CallOptions & { readonly query: string },
): AsyncGenerator<readonly Found[]> {
  const path = pathArg(folder);
  const pages = pagesInSequence('', { signal }, async (cursor) => {
    const page =
      cursor === ''
        ? await client.call(SearchPage, 'files/search_v2', { query, options: { path, max_results: searchPageSize } }, signal)
        : await client.call(SearchPage, 'files/search/continue_v2', { cursor }, signal);
    return { page: page.matches, ...(page.has_more && page.cursor && { next: page.cursor }) };
  });
  const below = joinPath(folder, '').toLowerCase();
  for await (const matches of pages) {
    const found = matches.flatMap(({ metadata: { metadata } }) => {
      const place = metadata && placeOf(metadata);
      return place !== undefined && place.toLowerCase().startsWith(below) ? [{ path: place, entry: toEntry(metadata as Metadata) }] : [];
    });
    if (found.length > 0) yield found;
  }
}

/** Returns what changed in the whole link since the cursor. */
export async function changesSince(client: DropboxClient, since: string | undefined, { signal }: CallOptions): Promise<Changes> {
  if (since === undefined) return { cursor: await cursorOfNow(client, signal), items: [], incomplete: false };
  try {
    const items: Change[] = [];
    let cursor = since;
    for (let page = 0, more = true; more && page < mostPages; page += 1) {
      const { entries, has_more, ...next } = await client.call(Page, 'files/list_folder/continue', { cursor }, signal);
      items.push(...entries.flatMap(toChange));
      cursor = next.cursor;
      more = has_more;
    }
    return { cursor, items, incomplete: false };
  } catch (error) {
    if (!isKind(error, 'interrupted') || error.details['code'] !== 'reset') throw error;
    return { cursor: await cursorOfNow(client, signal), items: [], incomplete: true };
  }
}

const cursorOfNow = async (client: DropboxClient, signal: AbortSignal): Promise<string> =>
  (await client.call(Cursor, 'files/list_folder/get_latest_cursor', { path: '', recursive: true }, signal)).cursor;

function toChange(metadata: Metadata): Change[] {
  const path = placeOf(metadata);
  if (path === undefined) return [];
  return [metadata['.tag'] === 'deleted' ? { path } : { path, entry: toEntry(metadata) }];
}
