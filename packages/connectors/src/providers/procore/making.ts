import type { CallOptions } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import { NewVersion, OneFile, OneFolder, type ProcoreItem, fileItem, folderItem } from './api.ts';
import { type ProcoreClient, placeOf } from './client.ts';
import type { ProcoreSource } from './source.ts';

/** Creates folders, files and versions; renames and moves items. */
export function createMaker(client: ProcoreClient, source: ProcoreSource) {
  /** Parameters for the parent folder; without them Procore uses the space's root folder. */
  const within = ({ facts }: ProcoreItem) => (facts.level === 'folder' ? { parent_id: facts.number } : {});

  return {
    async folder(parent: ProcoreItem, name: string, { signal }: CallOptions): Promise<ProcoreItem> {
      const { space } = parent.facts;
      const json = { folder: { name, ...within(parent) } };
      return folderItem(await client.json(OneFolder, space.company, { method: 'POST', ...placeOf(space, 'folders'), json, signal }), space);
    },

    /** Creates a file from an upload. */
    async file(parent: ProcoreItem, name: string, uuid: string, { signal }: CallOptions): Promise<ProcoreItem> {
      const { space } = parent.facts;
      const json = { file: { name, ...within(parent), upload_uuid: uuid, unique_name: false } };
      return fileItem(await client.json(OneFile, space.company, { method: 'POST', ...placeOf(space, 'files'), json, signal }), space);
    },

    /** Stores an upload as a file's newest version. */
    async version(item: ProcoreItem, uuid: string, { signal }: CallOptions): Promise<ProcoreItem> {
      const { space, number } = item.facts;
      const { url, query } = placeOf(space, 'file_versions');
      const json = { file_version: { upload_uuid: uuid } };
      const request = { method: 'POST', url, query: { ...query, file_id: number }, json, signal };
      const made = await client.json(NewVersion, space.company, request);
      return fileItem({ id: number, name: item.name, file_versions: [made] }, space);
    },

    /** Renames an item, moves it within its space, or both. */
    async relocate(item: ProcoreItem, name: string, parent: ProcoreItem | undefined, ask: CallOptions): Promise<ProcoreItem> {
      const { space, number } = item.facts;
      const place = parent && (parent.facts.level === 'folder' ? parent.facts.number : (await source.contents(parent, ask, 'itself')).id);
      const change = { name, ...(place !== undefined && { parent_id: place }) };
      const request = { method: 'PATCH', signal: ask.signal, headTimeout: deadlines.longWork };
      if (item.kind === 'folder') {
        const json = { folder: change };
        return folderItem(await client.json(OneFolder, space.company, { ...request, ...placeOf(space, 'folders', number), json }), space);
      }
      const json = { file: change };
      return fileItem(await client.json(OneFile, space.company, { ...request, ...placeOf(space, 'files', number), json }), space);
    },

    /** Moves an item to the recycle bin. */
    remove({ kind, facts: { space, number } }: ProcoreItem, { signal }: CallOptions): Promise<void> {
      const place = placeOf(space, kind === 'folder' ? 'folders' : 'files', number);
      return client.done(space.company, { method: 'DELETE', ...place, signal, headTimeout: deadlines.longWork });
    },
  };
}
