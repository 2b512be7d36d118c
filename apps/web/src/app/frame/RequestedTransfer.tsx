import { TargetPicker } from '#/features/picker/TargetPicker.tsx';
import { TargetDialog } from '#/features/transfers/dialogs/TargetDialog.tsx';
import { endTransferRequest, useTransferRequest } from '#/lib/transfers/request.ts';

/** The dialog "Copy to" or "Move to", opened anywhere in the app. */
export function RequestedTransfer() {
  const request = useTransferRequest();
  return request ? <TargetDialog request={request} Picker={TargetPicker} onClose={endTransferRequest} /> : null;
}
