import { Type } from 'typebox';
import type { Bin } from '../../../core/bin.ts';
import type { CallOptions, Entry } from '../../../core/connector.ts';
import { ConnectorError } from '../../../core/error.ts';
import { nameOf } from '../../../kit/names/path.ts';
import { parseJson } from '../../../kit/rest/json.ts';
import type { Graph } from '../account/client.ts';
import { DriveItem, type Place, addressOf, deletedFields, readItem } from '../api.ts';
import { naming } from '../errors.ts';
import type { FormerPlaces } from './former-places.ts';
import { type DriveTree, changeable, childNamed, folderFor } from './items.ts';
import { newNameOf } from './names.ts';

/** A deleted item keeps its id; its drive differs inside shared folders. */
const Gone = Type.Object({ drive: Type.String({ pattern: '^/(?:me/drive|drives/[^/]+)$' }), id: Type.String({ minLength: 1 }) });

interface Deps {
  readonly graph: Graph;
  readonly tree: DriveTree;
  readonly former: FormerPlaces;
  /** Returns a folder's id without the alias `root`. */
  readonly folderId: (folder: Place, ask: CallOptions) => Promise<string>;
}

/**
 * The recycle bin of a personal drive. Microsoft Graph restores a deleted item by its id, and shows it when asked for that id; it has no
 * call that lists the bin. Drives of organisations and libraries have neither call:
 * https://learn.microsoft.com/graph/api/driveitem-restore, https://learn.microsoft.com/graph/api/driveitem-get
 */
export function createBin({ graph, tree, former, folderId }: Deps): Bin {
  /** Returns the item as it was deleted; rejects with `notFound` when it is not in the bin. */
  async function deletedItem(gone: Place, { signal }: CallOptions) {
    const query = { includeDeletedItems: true, $select: deletedFields };
    const wire = await graph.json(DriveItem, { method: 'GET', url: addressOf(gone), query, signal });
    const item = wire.deleted ? readItem(wire, gone.drive) : undefined;
    if (!item) throw new ConnectorError('notFound', 'the item is not in the recycle bin');
    return item;
  }
  const shown = ({ name, kind, entry }: Pick<Entry, 'name' | 'kind'> & { readonly entry: Partial<Entry> }): Entry => ({
    name,
    kind,
    ...(kind === 'file' && entry.size !== undefined && { size: entry.size }),
  });

  return {
    bin: 'source',
    async discard(path, { before, signal }) {
      const { id, facts } = await changeable(tree, path, { signal });
      const binId = JSON.stringify(facts.self);
      await before(binId);
      await graph.done({ method: 'DELETE', url: addressOf(facts.self), signal });
      former.add(id, path);
      tree.forget(path);
      return binId;
    },

    binned: async (binId, ask) => shown(await deletedItem(goneOf(binId), ask)),

    async restore(binId, path, ask) {
      const gone = goneOf(binId);
      await deletedItem(gone, ask);
      const target = path === undefined ? undefined : await freePlace(path, gone, ask);
      const request = { method: 'POST', url: `${addressOf(gone)}/restore`, json: target ?? {}, signal: ask.signal };
      const back = readItem(await naming(graph.json(DriveItem, request)), gone.drive);
      if (!back) throw new ConnectorError('unexpected', 'the item became something else');
      if (path === undefined) return shown(back);
      tree.forget(path);
      return tree.learnt(path, back);
    },
  };

  /** The folder and name to restore to. The call does not promise to refuse a name that is taken. */
  async function freePlace(path: string, gone: Place, ask: CallOptions) {
    const name = newNameOf(path);
    const folder = await folderFor(tree, path, ask);
    if (folder.drive !== gone.drive) throw new ConnectorError('unsupported', 'nothing is restored into another drive');
    if (await childNamed(graph, folder, name, ask)) throw new ConnectorError('alreadyExists', `${nameOf(path)} is taken`);
    return { parentReference: { id: await folderId(folder, ask) }, name };
  }
}

function goneOf(binId: string): Place {
  try {
    return parseJson(Gone, binId);
  } catch (error) {
    throw new ConnectorError('notFound', 'the id is none of a deleted item', { cause: error });
  }
}
