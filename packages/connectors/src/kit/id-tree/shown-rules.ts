import type { NameRules } from '../../core/storage-limits.ts';

/**
 * Rules for names as an item tree shows them. The tree uses U+29F8 and U+241B as escapes (see `nameOfItem`): a name from elsewhere that
 * contains one of them would be stored under another name.
 */
export const shownRules = ({ forbidden, ...rules }: NameRules): NameRules => ({
  ...rules,
  forbidden: forbidden ? new RegExp(`${forbidden.source}|[\\u29f8\\u241b]`, forbidden.flags) : /[\u29f8\u241b]/gu,
});
