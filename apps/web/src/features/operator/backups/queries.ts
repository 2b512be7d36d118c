import { listBackups, makeBackup } from '@sheaf/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { send } from '#/lib/http/send.ts';

/** The backups of this installation. */
export const backupList = () =>
  queryOptions({ queryKey: ['backups'], queryFn: ({ signal }) => send(listBackups, {}, signal), refetchInterval: 30_000 });

/** Makes a backup now. */
export function useMakeBackup() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => send(makeBackup, {}),
    onSettled: () => client.invalidateQueries({ queryKey: backupList().queryKey }),
  });
}
