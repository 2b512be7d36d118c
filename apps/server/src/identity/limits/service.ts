import type { LimitOf } from '#/platform/limit-of.ts';
import type { LimitStore } from './store.ts';

/** The narrowest rule decides: the account's own, else the most generous one of its organisations, else everyone's. */
export function createLimits(store: Pick<LimitStore, 'rulesOf'>): LimitOf {
  return async (accountId, name) => {
    const rules = await store.rulesOf(accountId, name);
    const own = rules.find((rule) => rule.accountId === accountId);
    if (own) return Number(own.most);
    const organisations = rules.filter((rule) => rule.accountId !== null);
    if (organisations.length > 0) return Math.max(...organisations.map(({ most }) => Number(most)));
    const everyone = rules[0];
    return everyone && Number(everyone.most);
  };
}
