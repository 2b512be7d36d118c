import { Button } from '@mantine/core';
import type { PurchaseState } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { premiumInputs } from '#/features/purchase/payment/purchase-inputs.ts';
import { shopQuery } from '#/features/purchase/queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { Dialog, DialogButtons } from '#/ui/dialog/Dialog.tsx';
import { Skeleton } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { PurchaseDialog } from './PurchaseDialog.tsx';
import classes from '../purchase.module.css';

type Props = {
  purchaseState?: PurchaseState;
  /** Return address after changing the stored card; by default the current page. */
  billingReturn?: string;
  onDone: () => void;
  onClose: () => void;
};

/** The purchase dialog for Premium over any page; it loads all it needs. */
export function PremiumDialog({ purchaseState = 'purchase', billingReturn, onDone, onClose }: Props) {
  const { data: shop, error, refetch } = useQuery(shopQuery);
  if (shop && shop.tokenizer.mode !== 'off') {
    return (
      <PurchaseDialog
        inputs={premiumInputs(purchaseState, { subOid: shop.subscription?.subOid ?? '' })}
        shop={shop}
        {...(billingReturn === undefined ? {} : { billingReturn })}
        onDone={onDone}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog title="Premium" onClose={onClose}>
      {error && <ErrorState title="Premium cannot be bought at the moment" message={errorText(error)} onRetry={() => void refetch()} />}
      {!shop && !error && (
        <div className={classes.waiting} role="status" aria-label="Loading">
          <Skeleton width="40%" height={28} />
          <Skeleton />
          <Skeleton width="70%" />
        </div>
      )}
      {shop && <p className={classes.confirmation}>Everything is included on this installation.</p>}
      {!error && (
        <DialogButtons>
          <Button onClick={onClose}>Close</Button>
        </DialogButtons>
      )}
    </Dialog>
  );
}
