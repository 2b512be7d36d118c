import {
  type PublicItem,
  type ReplyOf,
  archiveWeblink,
  downloadWeblink,
  limits,
  listWeblink,
  openWeblink,
  publicPath,
} from '@sheaf/contract';
import { withQuery } from '#/lib/http/form-body.ts';
import { createQuestion, rememberQuestions } from '#/lib/http/question.ts';
import { send } from '#/lib/http/send.ts';

/** Order of a visitor's list. */
export interface PublicOrder {
  readonly sort: 'name' | 'size' | 'modified';
  readonly order: 'asc' | 'desc';
}

/** Milliseconds between two polls of a folder that the storage is still sending. */
const pollPause = 1000;

/** Opens a share once for all its pages, because each opening counts as a visit. */
export const openedShare = rememberQuestions((weblinkId: string) =>
  createQuestion({ load: (signal) => send(openWeblink, { weblinkId }, signal), isOnce: true }),
);

/** Opens a share with its password. */
export async function openWithPassword(weblinkId: string, password: string): Promise<void> {
  openedShare(weblinkId).set(await send(openWeblink, { weblinkId, password }));
}

type Pages = readonly ReplyOf<typeof listWeblink>[];

/** Whether a folder has rows after these. */
export const hasMoreRows = (pages: Pages): boolean => {
  const last = pages.at(-1);
  return last !== undefined && last.hasMore && last.items.length > 0;
};

/** The rows of a shared folder, 25 at a time. */
export const publicRows = rememberQuestions((weblinkId: string, path: string, { sort, order }: PublicOrder) => {
  const pageAfter = (before: Pages, signal: AbortSignal) => {
    const offset = before.reduce((sum, { items }) => sum + items.length, 0);
    return send(listWeblink, { weblinkId, path, offset, limit: limits.pageSize, sort, order }, signal);
  };
  return createQuestion<Pages>({
    async load(signal, { length } = []) {
      const pages = [await pageAfter([], signal)];
      // Each page begins where the one before it ended.
      // oxlint-disable-next-line no-await-in-loop
      while (pages.length < length && hasMoreRows(pages)) pages.push(await pageAfter(pages, signal));
      return pages;
    },
    more: async (signal, before = []) => [...before, await pageAfter(before, signal)],
    pollAfter: ([first]) => (first?.stale === true ? pollPause : undefined),
  });
});

/** The file of that name in a shared folder, at any position; null when there is none. */
export const publicFile = rememberQuestions((weblinkId: string, path: string, name: string) =>
  createQuestion({
    async load(signal): Promise<PublicItem | null> {
      const view = { sort: 'name', order: 'asc', offset: 0, limit: limits.maxPageSize } as const;
      const { items } = await send(listWeblink, { weblinkId, path, filter: name, ...view }, signal);
      return items.find((item) => item.path === publicPath(path, name)) ?? null;
    },
  }),
);

/** Address of a shared file's bytes. */
export const fileHref = (weblinkId: string, path: string): string => withQuery(downloadWeblink.path, { weblinkId, path });

/** Address of a shared folder's zip; '' is the whole share. */
export const zipHref = (weblinkId: string, path: string): string =>
  withQuery(archiveWeblink.path, { weblinkId, ...(path !== '' && { path: [path] }) });
