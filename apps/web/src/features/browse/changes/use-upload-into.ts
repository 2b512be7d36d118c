import { addFolderErrorText } from '#/features/browse/error-texts.ts';
import { useMember } from '#/features/browse/member.ts';
import { browseHref } from '#/features/browse/paths.ts';
import { leaveWhenSignedOut } from '#/lib/query-client.ts';
import { type Gathering, gatherChosen, gatherDropped, handlesOf } from '#/lib/uploads/gather-files.ts';
import { uploadInto } from '#/lib/uploads/into-folder.ts';
import { notifyError } from '#/ui/feedback/notify.ts';

interface Target {
  readonly linkUri: string;
  readonly names: readonly string[];
  /** Called once folders have been created, whether or not their files have arrived. */
  readonly onFolders: () => void;
}

/** Uploads into a folder: queues files, and creates their folders (or uses existing ones) before the first file of each. */
export function useUploadInto({ linkUri, names, onFolders }: Target) {
  const memberOid = useMember();
  const href = browseHref(names, memberOid === undefined ? 'browse' : 'browseorg', memberOid);
  const target = { linkUri, name: names.at(-1) ?? '', href, memberOid };

  const take = async (gathered: Promise<Gathering>, kept: Promise<FileSystemHandle[]>): Promise<void> => {
    const gathering = await gathered;
    const handles = await kept.catch(() => []);
    try {
      await uploadInto(target, gathering, { handles });
    } finally {
      if (gathering.folders.length > 0) onFolders();
    }
  };
  const start = (gathered: Promise<Gathering>, kept: Promise<FileSystemHandle[]> = Promise.resolve([])): void => {
    take(gathered, kept).catch((error: unknown) => {
      leaveWhenSignedOut(error);
      notifyError(addFolderErrorText(error));
    });
  };

  return {
    chosen: (files: Iterable<File>): void => start(Promise.resolve(gatherChosen(files))),
    dropped: (items: DataTransferItemList): void => start(gatherDropped(items), handlesOf(items)),
  };
}
