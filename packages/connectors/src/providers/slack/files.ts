import type { CallOptions } from '../../core/connector.ts';
import { pagesInParallel } from '../../kit/rest/paging.ts';
import { FilesPage, type SlackFile, type SlackItem, isThere, placesOf, toItem } from './api.ts';
import type { SlackClient } from './client.ts';
import { looseFolder } from './conversations.ts';

/** Maximum page size of `files.list`. */
const pageSize = 1000;
const pageWidth = 4;
/** Pages are numbered, and concurrent changes shift them: then the listing is repeated, at most this often. */
const mostAttempts = 3;

/** Lists the files of a conversation, or the user's files that were never shared. */
export function createFiles(client: SlackClient, userId: string) {
  const pageOf = async (folder: SlackItem, page: number, { signal }: CallOptions) => {
    const place = folder.id === looseFolder.id ? { user: userId } : { channel: folder.id };
    return client.call(FilesPage, { name: 'files.list', query: { ...place, count: pageSize, page }, signal });
  };

  async function all(folder: SlackItem, ask: CallOptions): Promise<SlackFile[]> {
    for (let attempt = 1; ; attempt += 1) {
      const files = new Map<string, SlackFile>();
      const first = await pageOf(folder, 1, ask);
      let moved = false;
      for (const file of first.files) files.set(file.id, file);
      for await (const page of pagesInParallel((first.paging?.pages ?? 1) - 1, pageWidth, ask, (index) => pageOf(folder, index + 2, ask))) {
        for (const file of page.files) files.set(file.id, file);
        moved ||= page.paging?.total !== first.paging?.total;
      }
      if (!moved || attempt === mostAttempts) return [...files.values()];
    }
  }

  return async function* children(folder: SlackItem, ask: CallOptions): AsyncGenerator<readonly SlackItem[]> {
    const files = (await all(folder, ask)).filter(isThere);
    yield (folder.id === looseFolder.id ? files.filter((file) => placesOf(file).length === 0) : files).map(toItem);
  };
}
