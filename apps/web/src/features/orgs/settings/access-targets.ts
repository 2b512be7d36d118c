import { safePath } from '@sheaf/contract';
import { orgHome } from '#/lib/org-address.ts';

/** Query of the org-access page. */
export interface AccessQuery {
  readonly trialDays?: string | undefined;
  readonly returnUrl?: string | undefined;
  readonly successUrl?: string | undefined;
}

/** Targets of the org-access page after leaving the dialog and after creating the organisation; and the days of trial. */
export function accessTargets({ trialDays, returnUrl, successUrl }: AccessQuery) {
  const days = Number.parseInt(trialDays ?? '', 10);
  const isTrial = !Number.isNaN(days);
  return {
    trialDays: isTrial ? days : undefined,
    returnPath: safePath(returnUrl, '/org-access'),
    successPath: safePath(successUrl, isTrial ? orgHome : '/account/billing'),
  };
}
