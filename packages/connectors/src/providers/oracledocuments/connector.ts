import type { Connector } from '../../core/connector.ts';
import type { Env } from '../../core/definition.ts';
import { ConnectorError } from '../../core/error.ts';
import { partOf, rangeHeader } from '../../kit/http/part-of.ts';
import { createItemAt } from '../../kit/id-tree/item-at.ts';
import { createItemTree, itemNameOf } from '../../kit/id-tree/item-tree.ts';
import { nameOf, parentOf } from '../../kit/names/path.ts';
import { DocumentItem, pathOf, toItem } from './api.ts';
import type { OracleConfig } from './config.ts';
import { createDocuments } from './documents.ts';
import { checkName, oracleLimits } from './names.ts';
import { createRelocation } from './relocate.ts';
import { createSearch } from './search.ts';
import { readThumbnail } from './thumbnail.ts';
import { createUpload } from './upload.ts';

interface Options {
  readonly pageSize?: number;
}

/** Opens a user's documents: the home folder, and items shared with the user. */
export function openOracleDocuments(config: OracleConfig, env: Env, { pageSize }: Options = {}): Connector {
  const documents = createDocuments(config, env, pageSize);
  const { api } = documents;
  const tree = createItemTree(documents.source);
  const at = createItemAt(tree);
  const { rename, move, copy } = createRelocation(documents, tree);

  return {
    limits: oracleLimits,
    list: (folder, ask) => tree.list(folder, ask),
    async stat(path, ask) {
      return tree.entryOf(path, await tree.find(path, ask));
    },
    read: (file, { range, signal }) =>
      at(file, { signal }, 'file', async (item) => {
        const headers = { accept: '*/*', ...rangeHeader(range) };
        const response = await api.send({ method: 'GET', url: `${pathOf(item)}/data`, headers, signal, accepts: [416] });
        return partOf(response, range, item.entry);
      }),
    write: createUpload(documents, tree),
    async createFolder(path, ask) {
      const folder = await tree.folder(parentOf(path), ask);
      const name = itemNameOf(nameOf(path));
      checkName(name);
      if ((await documents.namesakes(folder, name, ask)).length > 0) throw new ConnectorError('alreadyExists', 'the name is taken');
      const made = await api.json(DocumentItem, { method: 'POST', url: pathOf(folder), json: { name }, signal: ask.signal });
      return tree.learnt(path, toItem(made));
    },
    rename,
    move,
    copy,
    async remove(path, ask) {
      if (path === '/') throw new ConnectorError('unsupported', 'the home folder cannot be deleted');
      await at(path, ask, 'find', (item) => api.done({ method: 'DELETE', url: pathOf(item), signal: ask.signal }));
      tree.forget(path);
    },
    thumbnail: (file, ask) => at(file, ask, 'file', (item) => readThumbnail(documents, item, ask)),
    search: createSearch(documents, tree),
    close: async () => api.close(),
  };
}
