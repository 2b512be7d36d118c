import { type GivenOrgRole, type Org, type OrgMember, mayInOrg } from '@sheaf/contract';
import { IconCrown, IconMail, IconUser, IconUserCog, IconUserMinus } from '@tabler/icons-react';
import { useState } from 'react';
import { useChangeRole, useRemoveMember, useTransfer } from '#/features/orgs/queries.ts';
import { dateWords, roleWords } from '#/features/orgs/words.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { initialsOf } from '#/lib/initials.ts';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import { notifyDone, notifyError } from '#/ui/feedback/notify.ts';
import { ItemMenu } from '#/ui/menu/ItemMenu.tsx';
import { Menu } from '#/ui/menu/Menu.tsx';
import { Tile } from '#/ui/Tile.tsx';
import classes from '../orgs.module.css';

type Asked = { readonly action: 'remove' | 'transfer'; readonly member: OrgMember };
type Props = { org: Org; members: readonly OrgMember[] };

const nameOf = ({ name, email }: OrgMember): string => name || email;

/** The members and open invitations, each with a menu of changes. */
export function MemberList({ org, members }: Props) {
  const [asked, setAsked] = useState<Asked>();
  const change = useChangeRole(org.orgOid);
  const remove = useRemoveMember(org.orgOid);
  const transfer = useTransfer(org.orgOid);
  const failed = (error: Error): void => notifyError(errorText(error));
  const close = (): void => setAsked(undefined);

  return (
    <>
      <ul className={classes.people}>
        {members.map((member) => (
          <MemberRow
            key={member.memberId}
            member={member}
            isBusy={change.isPending && change.variables.memberId === member.memberId}
            mayTransfer={mayInOrg(org.role, 'billing') && !member.isInvited}
            onRole={(role) => change.mutate({ memberId: member.memberId, role }, { onError: failed })}
            onAsk={(action) => setAsked({ action, member })}
          />
        ))}
      </ul>
      {asked?.action === 'remove' && (
        <ConfirmDialog
          title={asked.member.isInvited ? 'Take the invitation back?' : `Remove ${nameOf(asked.member)}?`}
          confirm={asked.member.isInvited ? 'Take back' : 'Remove'}
          cancel="Keep"
          busy={remove.isPending}
          onConfirm={() =>
            remove.mutate(asked.member.memberId, {
              onSuccess: () =>
                notifyDone(asked.member.isInvited ? 'The invitation was taken back.' : `${nameOf(asked.member)} was removed.`),
              onError: failed,
              onSettled: close,
            })
          }
          onClose={close}
        >
          {asked.member.isInvited
            ? `The link that was sent to ${asked.member.email} will no longer work.`
            : `${nameOf(asked.member)} will no longer reach the links of ${org.name}, and what they have shared from them will end. Only a new invitation leads back.`}
        </ConfirmDialog>
      )}
      {asked?.action === 'transfer' && (
        <ConfirmDialog
          title={`Make ${nameOf(asked.member)} the owner?`}
          confirm="Make owner"
          cancel="Keep it"
          busy={transfer.isPending}
          onConfirm={() =>
            transfer.mutate(asked.member.memberId, {
              onSuccess: () => notifyDone(`${nameOf(asked.member)} now owns ${org.name}.`),
              onError: failed,
              onSettled: close,
            })
          }
          onClose={close}
        >
          {nameOf(asked.member)} will look after the subscription, the card and the bills of {org.name}. You stay as an admin and cannot
          take this back yourself.
        </ConfirmDialog>
      )}
    </>
  );
}

type RowProps = {
  member: OrgMember;
  isBusy: boolean;
  mayTransfer: boolean;
  onRole: (role: GivenOrgRole) => void;
  onAsk: (action: Asked['action']) => void;
};

function MemberRow({ member, isBusy, mayTransfer, onRole, onAsk }: RowProps) {
  const { email, role, isInvited, isYou, since } = member;
  return (
    <li className={classes.person} aria-busy={isBusy || undefined}>
      <Tile>{isInvited ? <IconMail size={18} stroke={1.75} /> : initialsOf(nameOf(member))}</Tile>
      <span className={classes.who}>
        <b>
          {nameOf(member)}
          {isYou && <i> (you)</i>}
        </b>
        <small>{isInvited ? `Invited ${dateWords(since)}` : `${email} · since ${dateWords(since)}`}</small>
      </span>
      <span className={classes.role} data-open={isInvited || undefined}>
        {isInvited ? `${roleWords[role]}, invited` : roleWords[role]}
      </span>
      {role === 'owner' || isYou ? (
        <span />
      ) : (
        <ItemMenu of={nameOf(member)} disabled={isBusy}>
          <Menu.Item
            leftSection={role === 'admin' ? <IconUser size={18} stroke={1.75} /> : <IconUserCog size={18} stroke={1.75} />}
            onClick={() => onRole(role === 'admin' ? 'member' : 'admin')}
          >
            {role === 'admin' ? 'Make member' : 'Make admin'}
          </Menu.Item>
          {mayTransfer && (
            <Menu.Item leftSection={<IconCrown size={18} stroke={1.75} />} onClick={() => onAsk('transfer')}>
              Make owner
            </Menu.Item>
          )}
          <Menu.Item data-danger leftSection={<IconUserMinus size={18} stroke={1.75} />} onClick={() => onAsk('remove')}>
            {isInvited ? 'Take invitation back' : 'Remove'}
          </Menu.Item>
        </ItemMenu>
      )}
    </li>
  );
}
