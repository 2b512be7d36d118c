import { matchRoute } from '@sheaf/contract';
import type { AnyRouter } from '@tanstack/react-router';
import { onTabNews } from '#/lib/other-tabs.ts';
import { queryClient } from '#/lib/query-client.ts';
import { refreshSession } from '#/lib/session.ts';

/** When another tab signs out, a page that needs a session gives way to "/"; the menu follows in any case. */
export function followOtherTabs({ history }: AnyRouter): void {
  onTabNews((news) => {
    const guarded = matchRoute(location.pathname)?.route.guarded === true;
    if (news === 'signedOut') {
      queryClient.clear();
      if (guarded) location.assign('/');
    }
    void refreshSession().then(() => history.notify({ type: 'REPLACE' }));
  });
}
