import { Type } from 'typebox';
import type { Bin } from '../../../core/bin.ts';
import type { CallOptions, Entry } from '../../../core/connector.ts';
import { deadlines } from '../../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../../core/error.ts';
import { type Versions, mostVersions } from '../../../core/replacing.ts';
import { partOf } from '../../../kit/http/part-of.ts';
import { itemNameOf, nameOfItem } from '../../../kit/id-tree/item-tree.ts';
import { nameOf, parentOf } from '../../../kit/names/path.ts';
import { BoxItem, Items, type Node, fields, placeOfKind, toNode } from '../api.ts';
import { type BoxClient, nodeOf } from '../client.ts';
import { readContent } from '../download.ts';

interface Deps {
  readonly client: BoxClient;
  /** Works on the item at the path. */
  readonly at: <R>(path: string, ask: CallOptions, find: 'find' | 'file', work: (node: Node) => Promise<R>) => Promise<R>;
  readonly folder: (path: string, ask: CallOptions) => Promise<Node>;
  /** Returns the entry of a node in the folder. */
  readonly placed: (folder: string, node: Node) => Entry;
  readonly forget: (path: string) => void;
  readonly refuseRoot: (path: string) => void;
}

/** Page size of the trash. */
const pageSize = 200;
const Trashed = Type.Object({
  ...Items.properties,
  entries: Type.Array(Type.Object({ ...BoxItem.properties, trashed_at: BoxItem.properties.modified_at })),
});
const Restored = Type.Object({
  ...BoxItem.properties,
  parent: Type.Optional(Type.Union([Type.Object({ id: Type.String() }), Type.Null()])),
});
/** https://developer.box.com/reference/get-files-id-versions */
const Earlier = Type.Object({
  entries: Type.Array(
    Type.Object({
      id: Type.String(),
      size: BoxItem.properties.size,
      modified_at: BoxItem.properties.modified_at,
      trashed_at: BoxItem.properties.modified_at,
    }),
  ),
});
const Versioned = Type.Object({ file_version: Type.Optional(Type.Union([Type.Object({ id: Type.String() }), Type.Null()])) });

/** Includes the kind, because a file and a folder may have the same id. */
const idOf = ({ kind, id }: Pick<Node, 'kind' | 'id'>): string => `${placeOfKind[kind]}/${id}`;

function addressOf(binId: string): string {
  if (!/^(?:files|folders)\/[0-9]{1,30}$/.test(binId)) throw new ConnectorError('notFound', 'the id is none of an item in the trash');
  return `/${binId}`;
}

/** The user's trash. Items keep their ids in it: https://developer.box.com/guides/trash */
export function createTrash({ client, at, folder, placed, forget, refuseRoot }: Deps): Omit<Required<Bin>, 'keeps'> {
  const { api } = client;

  async function trashed(binId: string, { signal }: CallOptions): Promise<Entry> {
    const item = await api.json(BoxItem, { method: 'GET', url: `${addressOf(binId)}/trash`, query: { fields }, signal });
    return shown(item) ?? absent();
  }

  return {
    bin: 'source',
    async discard(path, { before, signal }) {
      refuseRoot(path);
      const binId = await at(path, { signal }, 'find', async (node) => {
        await before(idOf(node));
        const isFolder = node.kind === 'folder';
        const more = isFolder && { query: { recursive: true }, headTimeout: deadlines.longWork };
        await api.done({ method: 'DELETE', url: `/${idOf(node)}`, signal, ...more });
        return idOf(node);
      });
      forget(path);
      return binId;
    },

    binned: trashed,

    /** Box restores an item into its former folder as long as that exists, whatever parent is requested. */
    async restore(binId, path, ask) {
      const url = addressOf(binId);
      await trashed(binId, ask);
      const parent = path === undefined ? undefined : await folder(parentOf(path), ask);
      const json = path === undefined || !parent ? {} : { name: itemNameOf(nameOf(path)), parent: { id: parent.id } };
      const query = { fields: `${fields},parent` };
      const item = await api.json(Restored, { method: 'POST', url, query, json, signal: ask.signal });
      if (path === undefined || !parent) return shown(item) ?? absent();
      forget(path);
      const isThere = item.parent?.id === parent.id;
      return placed(parentOf(path), isThere ? nodeOf(item) : await client.change('PUT', url, json, ask.signal));
    },

    async purge(binId, ask) {
      const url = addressOf(binId);
      try {
        await api.done({ method: 'DELETE', url: `${url}/trash`, signal: ask.signal });
      } catch (error) {
        if (!isKind(error, 'notFound')) throw error;
      }
    },

    async listBin(cursor, { signal }) {
      const offset = Number(cursor ?? 0);
      if (!Number.isSafeInteger(offset) || offset < 0) throw new ConnectorError('notFound', 'a cursor that no page has given');
      const query = { fields: `${fields},trashed_at`, limit: pageSize, offset, sort: 'date', direction: 'DESC' };
      const { entries, total_count = 0 } = await api.json(Trashed, { method: 'GET', url: '/folders/trash/items', query, signal });
      const items = entries.flatMap((item) => {
        const node = toNode(item);
        const entry = shown(item);
        const deleted = Date.parse(item.trashed_at ?? '');
        return node && entry ? [{ id: idOf(node), ...entry, ...(Number.isFinite(deleted) && { deleted: deleted / 1000 }) }] : [];
      });
      const next = offset + entries.length;
      return { items, ...(entries.length > 0 && next < total_count && { cursor: String(next) }) };
    },
  };
}

const absent = (): never => {
  throw new ConnectorError('notFound', 'the item is not in the trash');
};

/** Returns the entry of an item in the trash; undefined for web links. */
function shown(item: BoxItem): Entry | undefined {
  const node = toNode(item);
  return node && { name: nameOfItem(node.name), kind: node.kind, ...(node.entry.size !== undefined && { size: node.entry.size }) };
}

/**
 * Versions of files; how many Box keeps depends on the account's plan: https://developer.box.com/reference/post-files-id-versions-current
 */
export function createVersions({ client, at, placed }: Pick<Deps, 'client' | 'at' | 'placed'>): Required<Versions> {
  const { api } = client;
  return {
    versionOf: (path, ask) =>
      at(path, ask, 'file', async ({ id }) => {
        const query = { fields: 'file_version' };
        const { file_version: version } = await api.json(Versioned, { method: 'GET', url: `/files/${id}`, query, signal: ask.signal });
        return version?.id;
      }),
    restoreVersion: (path, versionId, ask) =>
      at(path, ask, 'file', async (file) => {
        const json = { type: 'file_version', id: versionId };
        await api.done({ method: 'POST', url: `/files/${file.id}/versions/current`, json, signal: ask.signal });
        return placed(parentOf(path), await client.get('file', file.id, ask.signal));
      }),
    listVersions: (path, ask) =>
      at(path, ask, 'file', async ({ id }) => {
        const query = { fields: 'size,modified_at,trashed_at', limit: mostVersions };
        const { entries } = await api.json(Earlier, { method: 'GET', url: `/files/${id}/versions`, query, signal: ask.signal });
        // A version in the trash cannot be restored.
        return entries
          .filter(({ trashed_at: trashed }) => !trashed)
          .map((one) => {
            const modified = Date.parse(one.modified_at ?? '');
            return {
              id: one.id,
              ...(typeof one.size === 'number' && { size: one.size }),
              ...(Number.isFinite(modified) && { modified: modified / 1000 }),
            };
          });
      }),
    readVersion: (path, versionId, { range, signal }) =>
      at(path, { signal }, 'file', async ({ id }) => {
        if (!/^[0-9]{1,30}$/.test(versionId)) throw new ConnectorError('notFound', 'the id is none of a version');
        return partOf(await readContent(client, { id, versionId }, range, signal), range);
      }),
  };
}
