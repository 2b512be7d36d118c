import { examineSurroundings, sendTestMail, showHealth } from '@sheaf/contract';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { send } from '#/lib/http/send.ts';

/** How the installation is. */
export const installationHealth = () =>
  queryOptions({ queryKey: ['health'], queryFn: ({ signal }) => send(showHealth, {}, signal), refetchInterval: 30_000 });

/** What the own public address, the mail server and providers say. Takes seconds. */
export const surroundings = () =>
  queryOptions({ queryKey: ['surroundings'], queryFn: ({ signal }) => send(examineSurroundings, {}, signal), staleTime: 60_000 });

/** Sends a letter to the operator's own address. */
export const useTestMail = () => useMutation({ mutationFn: () => send(sendTestMail, {}) });
