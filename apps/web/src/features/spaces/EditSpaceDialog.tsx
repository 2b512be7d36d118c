import { type Space, mayInSpace } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { spaceList, useRenameSpace, useRenameSpaceLink } from './queries.ts';
import { RenameDialog } from './RenameDialog.tsx';
import { placeOf } from './words.ts';

/** Renames a Space: for everybody with the right to, else for the user alone. */
export function EditSpaceDialog({ space, onClose }: { space: Space; onClose: () => void }) {
  const { role, name, linkName, spaceOid, userLinkId } = space;
  const forAll = useRenameSpace(spaceOid);
  const forMe = useRenameSpaceLink(userLinkId);
  const isForAll = mayInSpace(role, 'rename');
  return (
    <RenameDialog
      name={isForAll ? name : linkName}
      folder={placeOf(space)}
      sentence={isForAll ? 'Every member sees the new name.' : 'Only you see the new name.'}
      rename={isForAll ? forAll : forMe}
      onClose={onClose}
    />
  );
}

/** Renames the user's own link to a Space, from the list of links. */
export function EditSpaceLinkDialog({ userLinkId, name, onClose }: { userLinkId: string; name: string; onClose: () => void }) {
  const rename = useRenameSpaceLink(userLinkId);
  const { data } = useQuery(spaceList);
  const space = data?.spaces.find((one) => one.userLinkId === userLinkId);
  return (
    <RenameDialog
      name={name}
      folder={space ? placeOf(space) : ''}
      sentence="Only you see the new name."
      rename={rename}
      onClose={onClose}
    />
  );
}
