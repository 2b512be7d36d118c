import { sendTestMail, showHealth } from '@sheaf/contract';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { send } from '#/lib/http/send.ts';

/** How the installation is. */
export const installationHealth = () =>
  queryOptions({ queryKey: ['health'], queryFn: ({ signal }) => send(showHealth, {}, signal), refetchInterval: 30_000 });

/** Sends a letter to the operator's own address. */
export const useTestMail = () => useMutation({ mutationFn: () => send(sendTestMail, {}) });
