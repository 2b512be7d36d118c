/** Messages between the tabs of a browser. */
export type TabNews = 'signedIn' | 'signedOut';

const channel = new BroadcastChannel('sheaf-session');

/** Notifies every other tab. */
export const tellTabs = (news: TabNews): void => channel.postMessage(news);

/** Calls `hear` for messages of other tabs; the returned function unsubscribes. */
export function onTabNews(hear: (news: TabNews) => void): () => void {
  const listen = ({ data }: MessageEvent<TabNews>): void => hear(data);
  channel.addEventListener('message', listen);
  return () => channel.removeEventListener('message', listen);
}
