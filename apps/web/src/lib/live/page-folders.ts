import { type FolderEvents, folderEvents, parseLinkUri } from '@sheaf/contract';
import { type Message, type StreamHandlers, concerns, createLiveFolders } from './live-folders.ts';

function openStream(links: readonly string[], { onNews, onRefused }: StreamHandlers, isRepeated: boolean): () => void {
  const events = new EventSource(`${folderEvents.path}?${new URLSearchParams(links.map((id) => ['userLinkId', id]))}`);
  let isBroken = isRepeated;
  events.addEventListener('open', () => {
    if (isBroken) onNews('missed');
    isBroken = false;
  });
  events.addEventListener('error', () => {
    isBroken = true;
    if (events.readyState === EventSource.CLOSED) onRefused();
  });
  events.addEventListener('missed', () => onNews('missed'));
  events.addEventListener('folders', ({ data }: MessageEvent<string>) => onNews(JSON.parse(data) as FolderEvents));
  return () => events.close();
}

/** One window at a time holds the lock. Without secure context there are no locks: each visible window holds a stream. */
function lead(begin: () => void): () => void {
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- absent outside secure contexts
  if (!navigator.locks) {
    begin();
    return () => undefined;
  }
  const leaving = new AbortController();
  const held = Promise.withResolvers<void>();
  void navigator.locks
    .request('sheaf-live', { signal: leaving.signal }, () => {
      if (leaving.signal.aborted) return undefined;
      begin();
      return held.promise;
    })
    // Aborted while it waited.
    .catch(() => undefined);
  return () => {
    leaving.abort();
    held.resolve();
  };
}

const channel = new BroadcastChannel('sheaf-live');
const pageFolders = createLiveFolders({
  self: String(Math.random()),
  openStream,
  lead,
  post: (message) => channel.postMessage(message),
  later: (work, milliseconds) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
});
channel.addEventListener('message', ({ data }: MessageEvent<Message>) => pageFolders.receive(data));
const look = (): void => pageFolders.setVisible(document.visibilityState === 'visible');
document.addEventListener('visibilitychange', look);
addEventListener('pagehide', () => pageFolders.setVisible(false));
addEventListener('pageshow', look);

/** Calls `onChange` when the entries of the folder may have changed, until the returned function is called. */
export function followFolder(linkUri: string, onChange: () => void): () => void {
  const link = parseLinkUri(linkUri)?.userLinkId;
  if (link === undefined) return () => undefined;
  return pageFolders.follow(link, (news) => {
    if (concerns(news, linkUri)) onChange();
  });
}
