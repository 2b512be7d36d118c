import { folderSizes } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { useMember } from '#/features/browse/member.ts';
import { send } from '#/lib/http/send.ts';

const none: ReadonlyMap<string, number> = new Map();

/** Bytes of the folders in a folder, by linkUri, where they are known; asked again when the folder has been listed again. */
export function useFolderSizes(linkUri: string, listedAt: number | undefined): ReadonlyMap<string, number> {
  const memberOid = useMember();
  const { data } = useQuery({
    queryKey: ['folder sizes', linkUri, memberOid, listedAt],
    queryFn: async ({ signal }) => {
      const { folders } = await send(folderSizes, { linkUri, ...(memberOid !== undefined && { memberOid }) }, signal);
      return new Map(folders.map((folder) => [folder.linkUri, folder.size]));
    },
    enabled: listedAt !== undefined,
    staleTime: 30_000,
    placeholderData: (before) => before,
  });
  return data ?? none;
}
