import { type Item, addFolder, addOrgFolder, childUri } from '@sheaf/contract';
import { CallError } from '../http/call-error.ts';
import { send } from '../http/send.ts';
import { type Gathering, pathOf } from './gather-files.ts';
import { keepUploads } from './kept/keeper.ts';
import { pageUploads } from './page-uploads.ts';
import type { Place, UploadTarget } from './uploads.ts';

interface Options {
  /** What was dropped, to read it again after a reload. */
  readonly handles?: readonly FileSystemHandle[];
  /** Uploads that have begun at the server, by the files' paths. */
  readonly begun?: ReadonlyMap<string, string>;
}

/** Queues the files for a folder, and creates their folders (or uses existing ones) before the first file of each. Resolves when the folders are there. */
export async function uploadInto(
  target: UploadTarget,
  { files, folders }: Gathering,
  { handles = [], begun }: Options = {},
): Promise<void> {
  const made = new Map<string, Promise<string>>([['', Promise.resolve(target.linkUri)]]);
  const uriOf = (path: readonly string[]): Promise<string> => {
    const key = path.join('/');
    const known = made.get(key);
    if (known) return known;
    const making = uriOf(path.slice(0, -1))
      .then((parent) => ensureFolder(parent, path.at(-1) ?? '', target.memberOid))
      .catch((error: unknown) => {
        // Forgets the failure, so that a retry creates the folder again.
        made.delete(key);
        throw error;
      });
    made.set(key, making);
    return making;
  };
  const place = (above: readonly string[]): Place => ({
    linkUri: above.length === 0 ? target.linkUri : () => uriOf(above),
    name: above.at(-1) ?? target.name,
    href: hrefBelow(target.href, above),
  });
  const kept = keepUploads(target, files, handles);
  pageUploads.add(
    files.map(({ file, folders: above }) => {
      const path = pathOf(above, file.name);
      return { file, folder: above[0], place: place(above), kept: { batch: kept, path }, uploadId: begun?.get(path) };
    }),
  );
  for (const path of folders) await uriOf(path);
}

/** The address of a folder below another one; what follows the path stays. */
function hrefBelow(href: string, folders: readonly string[]): string {
  const [path = '', query] = href.split('?');
  return [path, ...folders.map(encodeURIComponent)].join('/') + (query === undefined ? '' : `?${query}`);
}

async function ensureFolder(parentLinkUri: string, folderName: string, memberOid: string | undefined): Promise<string> {
  const ask = { parentLinkUri, folderName, conflict: 'fail' } as const;
  try {
    const made: Item = memberOid === undefined ? await send(addFolder, ask) : await send(addOrgFolder, { ...ask, memberOid });
    return made.linkUri;
  } catch (error) {
    if (error instanceof CallError && error.is('NAME_TAKEN')) return childUri(parentLinkUri, folderName);
    throw error;
  }
}
