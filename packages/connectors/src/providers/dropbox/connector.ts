import type { Connector, Entry } from '../../core/connector.ts';
import type { Env } from '../../core/definition.ts';
import { ConnectorError } from '../../core/error.ts';
import type { StorageLimits } from '../../core/storage-limits.ts';
import { isOutcomeUnknown, retryWhileBusy } from '../../kit/concurrency/retry-busy.ts';
import { joinPath, parentOf } from '../../kit/names/path.ts';
import { recase } from '../../kit/names/recase.ts';
import { Metadata, Nothing, Relocated, SpaceUsage, pathArg, toEntry } from './api.ts';
import { createDropboxClient } from './client.ts';
import type { DropboxConfig } from './config.ts';
import { serviceCopies } from './copies.ts';
import { createDeleted, createVersions } from './deleted.ts';
import { readFile, readThumbnail } from './download.ts';
import { changesSince, listFolder, searchFolder } from './listing.ts';
import { resumableUploads } from './parts.ts';
import { uploadFile } from './upload.ts';

/** Opens a user's Dropbox, including team folders. Paths are Dropbox's own. */
export function openDropbox(config: DropboxConfig, env: Env): Connector {
  const client = createDropboxClient(config, env);

  async function relocate(how: 'move' | 'copy', from: string, to: string, signal: AbortSignal): Promise<Entry> {
    const arg = { from_path: pathArg(from), to_path: pathArg(to), autorename: false };
    return toEntry((await client.call(Relocated, `files/${how}_v2`, arg, signal)).metadata);
  }

  /** Dropbox treats names that differ only in case as equal. */
  const ways = (signal: AbortSignal): Parameters<typeof recase>[2] => ({
    rename: (from, to) => retryWhileBusy(signal, () => relocate('move', from, to, signal)),
    putBack: (from, to, aside) => retryWhileBusy(aside, () => relocate('move', from, to, aside), isOutcomeUnknown),
    find: async (path, aside) => toEntry(await client.call(Metadata, 'files/get_metadata', { path }, aside)),
  });

  const move = (from: string, to: string, signal: AbortSignal): Promise<Entry> =>
    from !== to && from.toLowerCase() === to.toLowerCase() ? recase(from, to, ways(signal), signal) : relocate('move', from, to, signal);

  return {
    hashes: ['dropbox'],
    limits: dropboxLimits,
    list: (folder, ask) => listFolder(client, folder, ask),
    async stat(path, { signal }) {
      // Dropbox has no metadata for its root.
      if (path !== '/') return toEntry(await client.call(Metadata, 'files/get_metadata', { path }, signal));
      await client.call(Nothing, 'files/list_folder', { path: '', limit: 1 }, signal);
      return { name: '', kind: 'folder' };
    },
    async read(file, { range, signal }) {
      if (file === '/') throw new ConnectorError('isAFolder', 'the root is a folder');
      return readFile(client, file, range, signal);
    },
    write: (file, body, ask) => uploadFile(client, file, body, ask),
    ...createDeleted(client),
    ...createVersions(client),
    ...resumableUploads(client),
    ...serviceCopies(client, config, env),
    async createFolder(path, { signal }) {
      const { metadata } = await client.call(Relocated, 'files/create_folder_v2', { path, autorename: false }, signal);
      return toEntry(metadata, 'folder');
    },
    rename: (path, newName, { signal }) => move(path, joinPath(parentOf(path), newName), signal),
    move: (from, to, { signal }) => move(from, to, signal),
    copy: (from, to, { signal }) => relocate('copy', from, to, signal),
    remove: async (path, { signal }) => void (await client.call(Nothing, 'files/delete_v2', { path }, signal)),
    thumbnail: (file, { size, signal }) => readThumbnail(client, file, size, signal),
    search: (folder, ask) => searchFolder(client, folder, ask),
    async usage({ signal }) {
      const { used, allocation } = await client.call(SpaceUsage, 'users/get_space_usage', undefined, signal);
      const own = allocation.user_within_team_space_allocated;
      if (allocation['.tag'] === 'team' && !own)
        return { used: allocation.used ?? used, ...(allocation.allocated && { total: allocation.allocated }) };
      const total = own || allocation.allocated;
      return { used, ...(total && { total }) };
    },
    changes: (since, ask) => changesSince(client, since, ask),
    close: async () => client.close(),
  };
}

/**
 * https://help.dropbox.com/organize/file-names,
 * https://www.dropbox.com/developers/documentation/http/documentation#files-upload_session-finish (maximum file size), and
 * `disallowed_name` for names that Dropbox's own clients do not sync.
 */
const dropboxLimits: StorageLimits = {
  names: {
    forbidden: /[\\\u007f]/gu,
    badEnd: / $/u,
    reserved: /^(?:desktop\.ini|thumbs\.db|\.ds_store|icon\r|\.dropbox|\.dropbox\.attr)$/i,
    length: { most: 255, unit: 'utf16' },
    ignoresCase: true,
    ignoresForm: true,
  },
  fileBytes: 2 ** 41 - 2 ** 22,
};
