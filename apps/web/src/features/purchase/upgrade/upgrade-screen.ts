import type { PurchaseState, Subscription } from '@sheaf/contract';

/** Screens of the upgrade page, by the address's hash. */
const screens = {
  renewScreen: 'repurchase',
  autorenewScreen: 'reactiveautorenew',
  purchaseScreen: 'purchase',
  thirtydaytrialScreen: 'trial',
} as const satisfies Record<string, PurchaseState | 'trial'>;
export type UpgradeScreen = (typeof screens)[keyof typeof screens];

/** The screen of a hash (without #); the purchase for none and for any other. */
export const screenOf = (hash: string): UpgradeScreen => new Map<string, UpgradeScreen>(Object.entries(screens)).get(hash) ?? 'purchase';

/** Why a screen makes no sense with the current subscription: nothing to buy, or another step first. */
export type Obstacle = 'owned' | 'renewing' | 'pastDue' | 'nothingToRenew';

/** `hasBought`: an account that has only tried Premium has nothing to renew. */
export function obstacleTo(screen: UpgradeScreen, subscription: Subscription | undefined, hasBought: boolean): Obstacle | undefined {
  const state = subscription?.state;
  if (screen === 'reactiveautorenew') {
    if (!subscription || !hasBought || state === 'trial') return 'nothingToRenew';
    return subscription.autoRenew && state === 'active' ? 'renewing' : undefined;
  }
  if (screen === 'trial') return undefined;
  if (state === 'active') return 'owned';
  return state === 'pastDue' ? 'pastDue' : undefined;
}
