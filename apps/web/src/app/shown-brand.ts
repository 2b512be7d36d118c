import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { sessionQuery } from '#/lib/session/session.ts';
import type { BrandShown } from '#/ui/brand/brand.ts';
import { brandShown } from './brand-shown.ts';

/** How this installation presents itself; as Sheaf until that is known. */
export function useShownBrand(): BrandShown {
  const brand = useQuery(sessionQuery).data?.brand;
  return useMemo(() => brandShown(brand), [brand]);
}
