import type { Readable } from 'node:stream';
import type { Entry, WriteOptions } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import { retryWhileBusy } from '../../kit/concurrency/retry-busy.ts';
import { type ItemTree, itemNameOf } from '../../kit/id-tree/item-tree.ts';
import { nameOf, parentOf } from '../../kit/names/path.ts';
import { multipartForm } from '../../kit/rest/multipart-form.ts';
import { DocumentItem, type Facts, type OracleItem, pathOf, toItem } from './api.ts';
import type { Documents } from './documents.ts';
import { checkName } from './names.ts';

/**
 * Uploads a file in one request, the only documented method. An existing file of that name gets a new revision; old ones are kept.
 * https://docs.oracle.com/en/cloud/paas/content-cloud/rest-api-documents/op-documents-api-1.2-files-data-post.html
 */
export function createUpload({ api, namesakes, idOf }: Documents, tree: ItemTree<Facts>) {
  /** An upload that must not overwrite deletes its revision when it is not the first: another upload was faster. */
  async function yieldToEarlier(stored: OracleItem, { signal }: WriteOptions): Promise<void> {
    const { version } = stored.facts;
    if (version === undefined || version === '1') return;
    await retryWhileBusy(signal, () => api.done({ method: 'DELETE', url: pathOf(stored), query: { version }, signal }));
    throw new ConnectorError('alreadyExists', 'another upload of this name was faster');
  }

  return async (path: string, body: Readable, ask: WriteOptions): Promise<Entry> => {
    const { signal, size, ifExists, mimeType } = ask;
    try {
      const name = itemNameOf(nameOf(path));
      const folder = await tree.folder(parentOf(path), ask);
      checkName(name);
      const [there] = await namesakes(folder, name, ask);
      if (there) mayReplace(there, name, ifExists);
      const jsonInputParameters = JSON.stringify({ parentID: await idOf(folder, ask) });
      const facts = { ...(size !== undefined && { size }), ...(mimeType !== undefined && { type: mimeType }) };
      const form = multipartForm({ jsonInputParameters }, { field: 'primaryFile', name, body, ...facts });
      const stored = toItem(await api.json(DocumentItem, { method: 'POST', url: '/files/data', ...form, signal }));
      if (ifExists === 'fail') await yieldToEarlier(stored, ask);
      return tree.learnt(path, stored);
    } finally {
      body.destroy();
    }
  };
}

/**
 * Throws unless a file of exactly this name may be replaced. A name that differs only in case is another file for the caller, but the same
 * for Oracle.
 */
function mayReplace({ name, kind }: OracleItem, wanted: string, ifExists: WriteOptions['ifExists']): void {
  if (ifExists === 'fail' || name !== wanted) throw new ConnectorError('alreadyExists', 'the name is taken');
  if (kind === 'folder') throw new ConnectorError('isAFolder', 'a folder has this name');
}
