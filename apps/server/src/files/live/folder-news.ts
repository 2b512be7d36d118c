/** What changed in one link: paths of folders. */
export interface LinkNews {
  readonly linkId: string;
  /** Folders with other entries than before. */
  readonly changed: readonly string[];
  /** Folders that no longer exist under this path, with everything below. */
  readonly gone: readonly string[];
  /** More changed than the paths say. */
  readonly isCut?: boolean;
}

export type FolderChange = 'changed' | 'gone';

interface Deps {
  /** Sends news to the other instances; absent when there are none. */
  readonly publish?: ((news: readonly LinkNews[]) => void) | undefined;
  /** Milliseconds between two deliveries. */
  readonly pause?: number;
  /** Milliseconds, monotonic. */
  readonly now?: () => number;
}

/** Receives news of a link; undefined: news may have been missed. */
export type NewsListener = (news: LinkNews | undefined) => void;

/** Most paths in one delivery of a link; beyond, it says only that much has changed. */
const mostPaths = 100;
/** Most news kept for new followers, of all links, and for how long; ms. */
const mostRecent = 2000;
const recentFor = 5000;

interface Pending {
  readonly changed: Set<string>;
  readonly gone: Set<string>;
}

export type FolderNews = ReturnType<typeof createFolderNews>;

/** Collects changes of folders and delivers them to followers of their links, at most once in a pause and here or on any other instance. */
export function createFolderNews({ publish, pause = 50, now = () => performance.now() }: Deps = {}) {
  const followers = new Map<string, Set<NewsListener>>();
  let pending = new Map<string, Pending>();
  let recent: { readonly at: number; readonly news: LinkNews }[] = [];
  /** Time of the newest news that was dropped for lack of room. */
  let cutAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let flushedAt = -Infinity;

  function flush(): void {
    timer = undefined;
    flushedAt = now();
    const collected = [...pending].map(([linkId, { changed, gone }]): LinkNews => {
      const isCut = changed.size + gone.size > mostPaths;
      return isCut ? { linkId, changed: [], gone: [], isCut } : { linkId, changed: [...changed], gone: [...gone] };
    });
    pending = new Map();
    for (const news of collected) deliver(news);
    publish?.(collected);
  }

  function deliver(news: LinkNews): void {
    const at = now();
    const from = recent.findIndex((one) => at - one.at < recentFor);
    recent = from < 0 ? [] : recent.slice(Math.max(from, recent.length - mostRecent + 1));
    if (from >= 0 && recent.length === mostRecent - 1) cutAt = at;
    recent.push({ at, news });
    for (const listener of followers.get(news.linkId) ?? []) listener(news);
  }

  return {
    /** Notes a change of a folder's stored listing. */
    tell(linkId: string, path: string, change: FolderChange): void {
      const known = pending.get(linkId) ?? { changed: new Set(), gone: new Set() };
      pending.set(linkId, known);
      if (known[change].size <= mostPaths) known[change].add(path);
      timer ??= setTimeout(flush, Math.max(0, pause - (now() - flushedAt)));
    },

    /** News from another instance. */
    receive: deliver,

    /** News of other instances may have been missed. */
    missed(): void {
      cutAt = now();
      for (const listeners of followers.values()) for (const listener of listeners) listener(undefined);
    },

    /** Follows a link, beginning with its news of the last seconds; the returned function ends it. */
    follow(linkId: string, listener: NewsListener): () => void {
      const listeners = followers.get(linkId) ?? new Set();
      followers.set(linkId, listeners.add(listener));
      const since = now() - recentFor;
      if (cutAt > since) listener(undefined);
      else for (const { at, news } of recent) if (at > since && news.linkId === linkId) listener(news);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && followers.get(linkId) === listeners) followers.delete(linkId);
      };
    },

    /** Delivers what is pending and stops the timer. */
    close(): void {
      if (!timer) return;
      clearTimeout(timer);
      flush();
    },
  };
}
