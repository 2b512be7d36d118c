import { type Brand, brandLogoPath } from '@sheaf/contract';
import type { BrandShown } from '#/ui/brand/brand.ts';

/** How this installation presents itself; as Sheaf until that is known. */
export function brandShown({ name = 'Sheaf', hasLogo = false, imprint, privacy }: Brand = {}): BrandShown {
  return {
    name,
    ...(hasLogo && { logo: brandLogoPath }),
    pages: [
      ...(imprint === undefined ? [] : [{ title: 'Imprint', href: imprint }]),
      ...(privacy === undefined ? [] : [{ title: 'Privacy', href: privacy }]),
    ],
  };
}
