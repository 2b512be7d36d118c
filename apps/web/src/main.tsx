import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { preloadFrame } from './app/frame/late-frames.ts';
import { followOtherTabs } from './app/navigation/follow-other-tabs.ts';
import { startNavigation } from './app/navigation/navigation.ts';
import { rememberScrolling } from './app/navigation/scroll.ts';
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
  rememberScrolling();
  startNavigation();
  followOtherTabs();
  createRoot(place).render(
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queryClient}>
        <App />
        <Notifications />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

await start();
