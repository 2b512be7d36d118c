import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { forgetThumbnails } from '../folder/thumbnails.ts';

/** Drops clear names from memory when the last screen that shows them closes. `forgetParts`, a stable function, drops other data of the vault. */
export function useForgetting(vaultId: string, forgetParts: (vaultId: string) => void): void {
  const queries = useQueryClient();
  useEffect(
    () => () => {
      queries.removeQueries({ queryKey: ['vault', vaultId] });
      forgetParts(vaultId);
      forgetThumbnails(vaultId);
    },
    [queries, vaultId, forgetParts],
  );
}
