import type { PublicOrder } from './queries.ts';

/** The columns that a visitor may order a list by. */
export const sortable = [
  { sort: 'name', title: 'Name' },
  { sort: 'size', title: 'Size' },
  { sort: 'modified', title: 'Modified' },
] as const;

/** The order that an address asks for; by name without one. */
export const orderOf = (params: Readonly<Record<string, string | undefined>>): PublicOrder => ({
  sort: sortable.find(({ sort }) => sort === params['sort'])?.sort ?? 'name',
  order: params['order'] === 'desc' ? 'desc' : 'asc',
});

/** The query of the address after a column's head was pressed. */
export function orderQuery(now: PublicOrder, sort: PublicOrder['sort']): string {
  const order = now.sort === sort && now.order === 'asc' ? 'desc' : 'asc';
  return `?${new URLSearchParams({ sort, order }).toString()}`;
}
