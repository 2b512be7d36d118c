import { safePath } from '@sheaf/contract';
import { orgHome } from '#/lib/org-address.ts';

/** What the address of the org-access page may say. */
export interface AccessQuery {
  readonly trialDays?: string | undefined;
  readonly returnUrl?: string | undefined;
  readonly successUrl?: string | undefined;
}

/** Where the org-access page leads when its dialog is left, and when the organisation has been made; and the days of trial to ask for. */
export function accessTargets({ trialDays, returnUrl, successUrl }: AccessQuery) {
  const days = Number.parseInt(trialDays ?? '', 10);
  const isTrial = !Number.isNaN(days);
  return {
    trialDays: isTrial ? days : undefined,
    returnPath: safePath(returnUrl, '/org-access'),
    successPath: safePath(successUrl, isTrial ? orgHome : '/account/billing'),
  };
}
