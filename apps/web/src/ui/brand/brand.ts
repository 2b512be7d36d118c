import { createContext, use } from 'react';

/** How the operator presents this installation. */
export interface BrandShown {
  readonly name: string;
  /** Address of the operator's logo; absent: Sheaf's own. */
  readonly logo?: string;
  /** Pages such as the imprint, for the foot of pages that visitors see. */
  readonly pages: readonly { readonly title: string; readonly href: string }[];
}

export const BrandContext = createContext<BrandShown>({ name: 'Sheaf', pages: [] });

export const useBrand = (): BrandShown => use(BrandContext);
