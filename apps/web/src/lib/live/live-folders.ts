import type { FolderEvents } from '@sheaf/contract';

/** News for the windows of a browser; `missed`: anything may have changed. */
export type News = FolderEvents | 'missed';

/** Messages between the windows of a browser. */
export type Message =
  | { readonly kind: 'wants'; readonly from: string; readonly links: readonly string[] }
  | { readonly kind: 'asks' }
  | { readonly kind: 'news'; readonly news: News };

export interface StreamHandlers {
  readonly onNews: (news: News) => void;
  /** The stream cannot be opened at the moment. */
  readonly onRefused: () => void;
}

interface Deps {
  /** This window's name among the others. */
  readonly self: string;
  /** Opens a stream of events about these links, perhaps after it was refused; the returned function closes it. */
  readonly openStream: (links: readonly string[], handlers: StreamHandlers, isRepeated: boolean) => () => void;
  /**
   * Calls `lead` when this window may hold the browser's stream, until the returned function is called. Where windows cannot agree, each one holds its
   * own.
   */
  readonly lead: (lead: () => void) => () => void;
  readonly post: (message: Message) => void;
  /** Runs `work` once after that many ms; the returned function cancels it. */
  readonly later: (work: () => void, milliseconds: number) => () => void;
}

/** Milliseconds before a stream that was refused is opened again. */
const reopenAfter = 30_000;
/** Milliseconds for which further wishes are collected before the stream is opened anew. */
const settle = 20;
/** Most links of one stream, as the server allows. */
const most = 32;

/**
 * Follows changes of folders for all visible windows of a browser with one stream, held by one of them, because browsers allow few connections to one
 * server. Hidden windows follow nothing: they refresh when they are shown.
 */
export function createLiveFolders({ self, openStream, lead, post, later }: Deps) {
  const followers = new Map<string, Set<(news: News) => void>>();
  /** Links that the other windows show. */
  const others = new Map<string, readonly string[]>();
  let isVisible = true;
  let endLeading: (() => void) | undefined;
  let isLeader = false;
  let streamed = '';
  let close: (() => void) | undefined;
  let endSettling: (() => void) | undefined;
  let endReopening: (() => void) | undefined;

  const own = (): readonly string[] => (isVisible ? [...followers.keys()] : []);

  /** Gives news to the windows' followers of the links concerned. */
  const hear = (news: News): void => {
    for (const [link, listeners] of followers) {
      if (news !== 'missed' && !isAbout(news, link)) continue;
      for (const listener of listeners) listener(news);
    }
  };
  const share = (news: News): void => {
    hear(news);
    post({ kind: 'news', news });
  };

  const closeStream = (): void => {
    close?.();
    close = undefined;
    streamed = '';
  };
  const openWanted = (isRepeated = false): void => {
    endSettling = undefined;
    const links = [...new Set([...own(), ...[...others.values()].flat()])].toSorted().slice(0, most);
    const key = links.join(' ');
    if (!isLeader || key === streamed) return;
    closeStream();
    endReopening?.();
    endReopening = undefined;
    if (links.length === 0) return;
    streamed = key;
    const handlers: StreamHandlers = {
      onNews: share,
      onRefused: () => {
        closeStream();
        endReopening = later(() => openWanted(true), reopenAfter);
      },
    };
    close = openStream(links, handlers, isRepeated);
  };
  const reopenSoon = (): void => {
    if (isLeader) endSettling ??= later(openWanted, settle);
  };

  const stopLeading = (): void => {
    endLeading?.();
    endLeading = undefined;
    isLeader = false;
    endSettling?.();
    endSettling = undefined;
    endReopening?.();
    endReopening = undefined;
    closeStream();
  };
  /** Tells the other windows what this one shows, and waits for its turn to hold the stream while it shows anything. */
  const announce = (): void => {
    const links = own();
    post({ kind: 'wants', from: self, links });
    if (links.length === 0) return stopLeading();
    endLeading ??= lead(() => {
      isLeader = true;
      others.clear();
      post({ kind: 'asks' });
      reopenSoon();
    });
    reopenSoon();
  };

  return {
    /** Calls `listener` with news of the link, until the returned function is called. */
    follow(link: string, listener: (news: News) => void): () => void {
      const listeners = followers.get(link) ?? new Set();
      followers.set(link, listeners.add(listener));
      if (listeners.size === 1) announce();
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return;
        if (followers.get(link) === listeners) followers.delete(link);
        announce();
      };
    },

    /** Takes a message of another window. */
    receive(message: Message): void {
      if (message.kind === 'news') return hear(message.news);
      if (message.kind === 'asks') {
        if (own().length > 0) post({ kind: 'wants', from: self, links: own() });
        return;
      }
      if (message.links.length > 0) others.set(message.from, message.links);
      else others.delete(message.from);
      reopenSoon();
    },

    setVisible(visible: boolean): void {
      if (visible === isVisible) return;
      isVisible = visible;
      announce();
    },
  };
}

/** The link of an item's address. */
const linkOf = (linkUri: string): string => linkUri.split('/')[1] ?? '';

const isAbout = ({ changed, gone, all }: FolderEvents, link: string): boolean =>
  all.includes(link) || [...changed, ...gone].some((linkUri) => linkOf(linkUri) === link);

/** Whether the news concerns the entries of the folder. */
export const concerns = (news: News, folderUri: string): boolean =>
  news === 'missed' ||
  news.all.includes(linkOf(folderUri)) ||
  news.changed.includes(folderUri) ||
  news.gone.some((linkUri) => folderUri === linkUri || folderUri.startsWith(`${linkUri}/`));
