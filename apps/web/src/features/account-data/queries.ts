import { exportRclone, importRemote, readRclone } from '@sheaf/contract';
import { useMutation } from '@tanstack/react-query';
import { saveFile, sendForFile } from '#/lib/http/send-for-file.ts';
import { type Payload, send } from '#/lib/http/send.ts';
import { useWithProof } from '#/lib/session/proof.ts';

/** Downloads all links with their secrets. */
export function useExportRclone() {
  const withProof = useWithProof();
  return useMutation({
    mutationFn: (password: string) => withProof(() => sendForFile(exportRclone, { password })),
    onSuccess: (file) => saveFile(file, 'rclone.conf'),
    // The password must not stay in the mutation cache.
    gcTime: 0,
  });
}

export const useReadRclone = () => useMutation({ mutationFn: (config: string) => send(readRclone, { config }), gcTime: 0 });

export const addRemote = (payload: Payload<typeof importRemote>) => send(importRemote, payload);
