import { type Subscription, priceText, products } from '@sheaf/contract';
import { dateWords } from '#/features/orgs/words.ts';

const { price, currency, term, refundDays, units: bounds } = products.org;

export const membersWords = (count: number): string => (count === 1 ? '1 member' : `${count} members`);

/** Price of that many members per term. */
export const costOf = (units: number): string => priceText(units * price, currency);
export const unitPrice = `${priceText(price, currency)} a member and ${term}`;

/** Terms that a purchase agrees to. */
export const purchaseTerms = (units: number): string =>
  `You will be charged ${costOf(units)} for the first ${term}. Cancel within ${refundDays} days for a full refund. ` +
  `The plan renews each ${term} at the same price, not including discounts.`;

/** The number of members in a field, if the plan offers it and every current member keeps a place; undefined otherwise. */
export function unitsOf(typed: string, taken: number): number | undefined {
  if (!/^\d{1,6}$/.test(typed.trim())) return undefined;
  const units = Number(typed);
  return units >= Math.max(bounds.min, taken) && units <= bounds.max ? units : undefined;
}

/** Hint of the field for an invalid number. */
export const unitsHint = (taken: number): string =>
  `From ${Math.max(bounds.min, taken)} to ${bounds.max}${taken > bounds.min ? `, as ${membersWords(taken)} are there` : ''}.`;

/** Cost of a change of the number of members. */
export function changeTerms({ units, endsAt, autoRenew }: Pick<Subscription, 'units' | 'endsAt' | 'autoRenew'>, wanted: number): string {
  const until = dateWords(endsAt);
  const renewal = autoRenew ? ` From the renewal on, ${membersWords(wanted)} cost ${costOf(wanted)} a ${term}.` : '';
  if (wanted < units) return `Nothing is given back for the time until ${until}.${renewal}`;
  const more = wanted - units;
  return `${more} more ${more === 1 ? 'costs' : 'cost'} ${costOf(more)} a ${term}; the part for the time until ${until} is charged now.${renewal}`;
}
