/** What tabs of one browser tell each other. */
export type TabNews = 'signedIn' | 'signedOut';

const channel = new BroadcastChannel('sheaf-session');

/** Tells every other tab. */
export const tellTabs = (news: TabNews): void => channel.postMessage(news);

/** Calls `hear` with what other tabs tell, until the function it gives back is called. */
export function onTabNews(hear: (news: TabNews) => void): () => void {
  const listen = ({ data }: MessageEvent<TabNews>): void => hear(data);
  channel.addEventListener('message', listen);
  return () => channel.removeEventListener('message', listen);
}
