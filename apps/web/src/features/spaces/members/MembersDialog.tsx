import { Button } from '@mantine/core';
import { type Space, mayInSpace } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { memberList, useChangeRole, useRemoveMember } from '#/features/spaces/queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { Dialog, DialogButtons } from '#/ui/dialog/Dialog.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { InviteForm } from './InviteForm.tsx';
import { MemberRow } from './MemberRow.tsx';
import classes from '../spaces.module.css';

/** Members of a Space. Users with the right invite, change roles and remove; others only see the list. */
export function MembersDialog({ space: { spaceOid, name, role }, onClose }: { space: Space; onClose: () => void }) {
  const { data, error, refetch } = useQuery(memberList(spaceOid));
  const change = useChangeRole(spaceOid);
  const remove = useRemoveMember(spaceOid);
  const mayManage = mayInSpace(role, 'members');
  return (
    <Dialog title={`Members of ${name}`} onClose={onClose} wide>
      {mayManage && <InviteForm spaceOid={spaceOid} />}
      {error && <ErrorState title="The members cannot be listed" message={errorText(error)} onRetry={() => void refetch()} />}
      {!error && !data && <SkeletonRows count={3} height={48} tile={24} />}
      {data && (
        <ul className={classes.memberList} aria-label="Members">
          {data.map((member) => (
            <MemberRow
              key={member.memberId}
              member={member}
              isMine={mayManage && member.role !== 'owner' && !member.isYou}
              isGoing={remove.isPending && remove.variables === member.memberId}
              onRole={(next) => change.mutate({ memberId: member.memberId, role: next })}
              onRemove={() => remove.mutate(member.memberId)}
            />
          ))}
        </ul>
      )}
      <DialogButtons>
        <Button onClick={onClose}>Close</Button>
      </DialogButtons>
    </Dialog>
  );
}
