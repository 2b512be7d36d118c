import type { PublicOrder } from './queries.ts';

/** Columns that visitors may sort by. */
export const sortable = [
  { sort: 'name', title: 'Name' },
  { sort: 'size', title: 'Size' },
  { sort: 'modified', title: 'Modified' },
] as const;

/** The order in an address; by name by default. */
export const orderOf = (params: Readonly<Record<string, string | undefined>>): PublicOrder => ({
  sort: sortable.find(({ sort }) => sort === params['sort'])?.sort ?? 'name',
  order: params['order'] === 'desc' ? 'desc' : 'asc',
});

/** The address's query after a column's header was pressed. */
export function orderQuery(now: PublicOrder, sort: PublicOrder['sort']): string {
  const order = now.sort === sort && now.order === 'asc' ? 'desc' : 'asc';
  return `?${new URLSearchParams({ sort, order }).toString()}`;
}
