import type { Space } from '@sheaf/contract';
import { errorText } from '#/lib/http/error-text.ts';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import { notifyError } from '#/ui/feedback/notify.ts';
import { useLeaveSpace, useRemoveSpace } from './queries.ts';

/** Asks before the owner ends a Space, or a member leaves one. */
export function EndDialog({ space: { spaceOid, name, role, ownerName, members }, onClose }: { space: Space; onClose: () => void }) {
  const remove = useRemoveSpace();
  const leave = useLeaveSpace();
  const isOwner = role === 'owner';
  const end = isOwner ? remove : leave;
  const others = members - 1;
  return (
    <ConfirmDialog
      title={isOwner ? `End ${name}?` : `Leave ${name}?`}
      confirm={isOwner ? 'End space' : 'Leave space'}
      cancel={isOwner ? 'Keep it' : 'Stay'}
      busy={end.isPending}
      onConfirm={() =>
        end.mutate(spaceOid, {
          onSuccess: onClose,
          onError: (error) => {
            onClose();
            notifyError(`Cannot ${isOwner ? 'end' : 'leave'} ${name}. ${errorText(error)}`);
          },
        })
      }
      onClose={onClose}
    >
      {isOwner
        ? `${others === 0 ? 'Nobody else has joined it.' : `${others === 1 ? 'Its other member loses' : `Its ${others} other members lose`} access.`} The files stay where they are, in your storage.`
        : `You lose access to its files, and come back only when ${ownerName} invites you again.`}
    </ConfirmDialog>
  );
}
