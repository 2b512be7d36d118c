import { matchRoute } from '@sheaf/contract';
import { pageHistory } from '#/lib/navigation/history.ts';
import { queryClient } from '#/lib/query-client.ts';
import { onTabNews } from '#/lib/session/other-tabs.ts';
import { refreshSession } from '#/lib/session/session.ts';

/** When another tab signs out, leaves pages that need a session for "/"; the menu is updated in any case. */
export function followOtherTabs(): void {
  onTabNews((news) => {
    const guarded = matchRoute(location.pathname)?.route.guarded === true;
    if (news === 'signedOut') {
      queryClient.clear();
      if (guarded) location.assign('/');
    }
    void refreshSession().then(() => pageHistory().notify({ type: 'REPLACE' }));
  });
}
