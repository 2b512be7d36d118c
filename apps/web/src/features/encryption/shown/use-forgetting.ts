import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { forgetThumbnails } from '../folder/thumbnails.ts';

/** Clear names leave the page's memory with the last screen that shows them. `forgetParts`, a function that stays the same, drops what else is kept of the vault. */
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
