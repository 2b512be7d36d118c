import type { Org } from '@sheaf/contract';
import { useLeaveOrg } from '#/features/orgs/queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { orgHome } from '#/lib/org-address.ts';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import { notifyDone, notifyError } from '#/ui/feedback/notify.ts';
import { useGo } from '#/ui/PathLink.tsx';

type Props = { org: Pick<Org, 'orgOid' | 'name'>; onClose: () => void };

/** Asks before the user leaves an organisation: returning needs an invitation. */
export function LeaveDialog({ org: { orgOid, name }, onClose }: Props) {
  const go = useGo();
  const leave = useLeaveOrg(orgOid, () => {
    notifyDone(`You have left ${name}.`);
    onClose();
    go(orgHome);
  });
  return (
    <ConfirmDialog
      title={`Leave ${name}?`}
      confirm="Leave"
      cancel="Stay"
      busy={leave.isPending}
      onConfirm={() =>
        leave.mutate(undefined, {
          onError: (error) => {
            onClose();
            notifyError(`Cannot leave ${name}. ${errorText(error)}`);
          },
        })
      }
      onClose={onClose}
    >
      You will no longer reach its links, and what you have shared from them will end. Only a new invitation leads back.
    </ConfirmDialog>
  );
}
