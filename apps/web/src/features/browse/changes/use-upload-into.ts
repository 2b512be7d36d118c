import { childUri } from '@sheaf/contract';
import { addFolderErrorText } from '#/features/browse/error-texts.ts';
import { changesAs } from '#/features/browse/listing/queries.ts';
import { useMember } from '#/features/browse/member.ts';
import { browseHref } from '#/features/browse/paths.ts';
import { CallError } from '#/lib/http/call-error.ts';
import { leaveWhenSignedOut } from '#/lib/query-client.ts';
import { pageUploads } from '#/lib/uploads/page-uploads.ts';
import type { Place } from '#/lib/uploads/uploads.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { type Gathering, gatherChosen, gatherDropped } from './gather-files.ts';

interface Target {
  readonly linkUri: string;
  readonly names: readonly string[];
  /** Called once folders have been created, whether or not their files have arrived. */
  readonly onFolders: () => void;
}

/** Uploads into a folder: queues files, and creates their folders (or uses existing ones) before the first file of each. */
export function useUploadInto(folder: Target) {
  const memberOid = useMember();
  const place = (linkUri: Place['linkUri'], folders: readonly string[]): Place => {
    const names = [...folder.names, ...folders];
    return { linkUri, name: names.at(-1) ?? '', href: browseHref(names, memberOid === undefined ? 'browse' : 'browseorg', memberOid) };
  };

  const take = async ({ files, folders }: Gathering): Promise<void> => {
    const made = new Map<string, Promise<string>>([['', Promise.resolve(folder.linkUri)]]);
    const uriOf = (path: readonly string[]): Promise<string> => {
      const key = path.join('/');
      const known = made.get(key);
      if (known) return known;
      const name = path.at(-1) ?? '';
      const making = uriOf(path.slice(0, -1))
        .then((parent) => ensureFolder(parent, name, memberOid))
        .catch((error: unknown) => {
          // Forgets the failure, so that a retry creates the folder again.
          made.delete(key);
          throw error;
        });
      made.set(key, making);
      return making;
    };
    pageUploads.add(
      files.map(({ file, folders: above }) => ({
        file,
        folder: above[0],
        place: place(above.length === 0 ? folder.linkUri : () => uriOf(above), above),
      })),
    );
    try {
      for (const path of folders) await uriOf(path);
    } finally {
      if (folders.length > 0) folder.onFolders();
    }
  };
  const start = (gathering: Promise<Gathering>): void => {
    gathering.then(take).catch((error: unknown) => {
      leaveWhenSignedOut(error);
      notifyError(addFolderErrorText(error));
    });
  };

  return {
    chosen: (files: Iterable<File>): void => start(Promise.resolve(gatherChosen(files))),
    dropped: (items: DataTransferItemList): void => start(gatherDropped(items)),
  };
}

async function ensureFolder(parent: string, name: string, memberOid: string | undefined): Promise<string> {
  try {
    return (await changesAs(memberOid).makeFolder(parent, name, 'fail')).linkUri;
  } catch (error) {
    if (error instanceof CallError && error.is('NAME_TAKEN')) return childUri(parent, name);
    throw error;
  }
}
