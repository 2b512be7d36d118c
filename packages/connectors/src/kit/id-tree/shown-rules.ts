import type { NameRules } from '../../core/storage-limits.ts';

/**
 * Rules for names as an item tree shows them. It gives U+29F8 and U+241B a meaning (see `nameOfItem`), so that a name with one of them that comes from
 * elsewhere would be stored as another name.
 */
export const shownRules = ({ forbidden, ...rules }: NameRules): NameRules => ({
  ...rules,
  forbidden: forbidden ? new RegExp(`${forbidden.source}|[\\u29f8\\u241b]`, forbidden.flags) : /[\u29f8\u241b]/gu,
});
