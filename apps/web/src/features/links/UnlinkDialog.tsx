import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import { useUnlink } from './queries.ts';
import type { Link } from './rows.ts';
import { SourceLogo } from './SourceLogo.tsx';

type Props = { link: Link; orgOid?: string | undefined; onClose: () => void };

/** Asks before a link is removed. Closes when the answer arrives, whatever it is. */
export function UnlinkDialog({ link, orgOid, onClose }: Props) {
  const unlink = useUnlink();
  return (
    <ConfirmDialog
      title="Confirm Unlinking"
      logo={<SourceLogo src={link.thumbnailUrl} size={40} />}
      confirm="Yes, unlink"
      cancel="No, don't unlink"
      busyText="Processing..."
      busy={unlink.isPending}
      onConfirm={() => unlink.mutate({ userLinkId: link.userLinkId, orgOid }, { onSettled: onClose })}
      onClose={onClose}
    >
      Unlinking removes <strong>{link.name}</strong> from your storage and deletes the folder from all clients.
    </ConfirmDialog>
  );
}
