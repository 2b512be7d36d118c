import { Button } from '@mantine/core';
import type { Space } from '@sheaf/contract';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import type { FolderFieldProps } from '#/lib/files/folder-choice.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { PathLink, useGo } from '#/ui/PathLink.tsx';
import { ChangeFolderDialog } from './ChangeFolderDialog.tsx';
import { CreateSpaceDialog } from './CreateSpaceDialog.tsx';
import { EditSpaceDialog } from './EditSpaceDialog.tsx';
import { EndDialog } from './EndDialog.tsx';
import { Invitations } from './members/Invitations.tsx';
import { MembersDialog } from './members/MembersDialog.tsx';
import { spaceList } from './queries.ts';
import { SpaceRow } from './SpaceRow.tsx';
import classes from './spaces.module.css';

const home = '/account/mysheaf';
const here = (more: object = {}): string => withQuery(home, { catid: 'spaces', ...more });

/** The user's Spaces, own and joined. The address names the open dialog. */
export function SpacesPage({ FolderField }: { FolderField: ComponentType<FolderFieldProps> }) {
  const { data, error, refetch, isPending } = useQuery({ ...spaceList, refetchInterval: 60_000 });
  const { createDialog, rename, members, folder } = useQueryParams();
  const [ending, setEnding] = useState<Space>();
  const go = useGo();
  const close = (): void => go(here(), { replace: true });
  const spaces = data?.spaces ?? [];
  const find = (spaceOid: string | undefined): Space | undefined => spaces.find((one) => one.spaceOid === spaceOid);
  const renamed = find(rename);
  const shown = find(members);
  const moved = find(folder);
  const create = (
    <Button variant="filled" component={PathLink} href={here({ createDialog: 'true' })} leftSection={<IconPlus size={16} stroke={1.75} />}>
      Share Storage
    </Button>
  );

  return (
    <Page>
      <PageHead title="Spaces" line={spaces.length > 0 && (spaces.length === 1 ? '1 space.' : `${spaces.length} spaces.`)}>
        {spaces.length > 0 && create}
      </PageHead>
      {isPending && <SkeletonRows count={3} />}
      {error && !data && <ErrorState title="Your spaces cannot be shown" message={errorText(error)} onRetry={() => void refetch()} />}
      {data && data.invitations.length > 0 && <Invitations invitations={data.invitations} />}
      {data && spaces.length === 0 && (
        <EmptyState icon={<IconUsersGroup size={24} stroke={1.5} />} title="You are in no space yet" actions={create}>
          A space is a folder of your storage that people you invite find among their own links. Each of them may look, change, or invite
          others, as you decide. The files stay where they are.
          {!data.maySpaces && ' Making spaces belongs to Premium; joining them does not.'}
        </EmptyState>
      )}
      {spaces.length > 0 && (
        <ul className={classes.list} aria-label="Spaces">
          {spaces.map((space) => (
            <SpaceRow
              key={space.spaceOid}
              space={space}
              onRename={() => go(here({ rename: space.spaceOid }))}
              onMembers={() => go(here({ members: space.spaceOid }))}
              onFolder={() => go(here({ folder: space.spaceOid }))}
              onEnd={() => setEnding(space)}
            />
          ))}
        </ul>
      )}
      {createDialog === 'true' && <CreateSpaceDialog FolderField={FolderField} onClose={close} />}
      {renamed && <EditSpaceDialog key={renamed.spaceOid} space={renamed} onClose={close} />}
      {shown && <MembersDialog key={shown.spaceOid} space={shown} onClose={close} />}
      {moved?.role === 'owner' && <ChangeFolderDialog key={moved.spaceOid} space={moved} FolderField={FolderField} onClose={close} />}
      {ending && <EndDialog space={ending} onClose={() => setEnding(undefined)} />}
    </Page>
  );
}
