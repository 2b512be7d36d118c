import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useApplyPromo } from '#/features/purchase/queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { notifyDone } from '#/ui/feedback/notify.ts';
import classes from '../purchase.module.css';

/** Stores a promo code for the next purchase; an empty one changes nothing. */
export function ApplyPromoDialog({ coupon: known = '', onClose }: { coupon: string | undefined; onClose: () => void }) {
  const [coupon, setCoupon] = useState('');
  const apply = useApplyPromo();
  const submit = (): void => {
    const code = coupon.trim();
    if (code === '') onClose();
    else if (!apply.isPending)
      apply.mutate(code, {
        onSuccess: () => {
          notifyDone('The promo code will be taken off your next purchase.');
          onClose();
        },
      });
  };
  return (
    <Dialog title="Apply promo code" sentence="It is taken off your next purchase." busy={apply.isPending} onClose={onClose}>
      <form action={submit}>
        <DialogFields>
          <TextInput
            label={
              <>
                Promo code <span className={classes.optional}>optional</span>
              </>
            }
            name="coupon"
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            placeholder={known}
            value={coupon}
            error={apply.error && errorText(apply.error)}
            onChange={(event) => {
              setCoupon(event.currentTarget.value);
              apply.reset();
            }}
          />
        </DialogFields>
        <DialogButtons>
          <Button variant="subtle" onClick={onClose} disabled={apply.isPending}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" loading={apply.isPending}>
            Apply
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
