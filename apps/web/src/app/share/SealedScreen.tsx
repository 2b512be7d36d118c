import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { SealedShare } from '#/features/encryption/sharing/SealedShare.tsx';
import { queryClient } from '#/lib/query-client.ts';
import type { SealedShareProps } from '#/lib/sharing/sealed-share.ts';
import { Notifications } from '#/ui/feedback/Notifications.tsx';
import { theme } from '../theme/theme.ts';

/** A share of items of a vault, with what its parts take from the app. */
export function SealedScreen(share: SealedShareProps) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queryClient}>
        <SealedShare {...share} />
        <Notifications />
      </QueryClientProvider>
    </MantineProvider>
  );
}
