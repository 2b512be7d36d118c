import type { Tokenizer } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { openTokenizer } from '#/features/purchase/tokenizer/open-tokenizer.ts';

/** The card service's tokenizer for one form: loading, ready, or unreachable. Each form has its own, because its fields are rendered once. */
export function useTokenizer(settings: Tokenizer) {
  const id = useId();
  const { data, error, refetch } = useQuery({
    queryKey: ['card-form', id],
    queryFn: () => openTokenizer(settings),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  return { tokenizer: data, error, retry: () => void refetch() };
}
