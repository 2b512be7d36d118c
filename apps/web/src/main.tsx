import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { followOtherTabs } from './app/follow-other-tabs.ts';
import { preloadFrame } from './app/frame/late-frames.ts';
import { router } from './app/router.tsx';
import { theme } from './app/theme/theme.ts';
import { queryClient } from './lib/query-client.ts';
import { sessionQuery } from './lib/session/session.ts';
import { whenInitialised } from './lib/start-up.ts';
import { Notifications } from './ui/feedback/Notifications.tsx';

async function start(): Promise<void> {
  const place = document.getElementById('root');
  if (!place) throw new Error('the page has no place for the app');
  void queryClient.prefetchQuery(sessionQuery);
  preloadFrame(location.pathname);
  await whenInitialised(() => queryClient.getQueryState(sessionQuery.queryKey)?.fetchStatus === 'idle');
  followOtherTabs(router);
  createRoot(place).render(
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Notifications />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

await start();
