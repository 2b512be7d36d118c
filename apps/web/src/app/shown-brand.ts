import { brandLogoPath } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { sessionQuery } from '#/lib/session/session.ts';
import type { BrandShown } from '#/ui/brand/brand.ts';

/** How this installation presents itself; as Sheaf until that is known. */
export function useShownBrand(): BrandShown {
  const brand = useQuery(sessionQuery).data?.brand;
  return useMemo(() => {
    const { name = 'Sheaf', hasLogo = false, imprint, privacy } = brand ?? {};
    return {
      name,
      ...(hasLogo && { logo: brandLogoPath }),
      pages: [
        ...(imprint === undefined ? [] : [{ title: 'Imprint', href: imprint }]),
        ...(privacy === undefined ? [] : [{ title: 'Privacy', href: privacy }]),
      ],
    };
  }, [brand]);
}
