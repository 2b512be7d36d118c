import type { Static } from 'typebox';
import type { CallOptions, Change, Changes } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { readLines } from '../../kit/body/whole-body.ts';
import { type ItemTree, nameOfItem } from '../../kit/id-tree/item-tree.ts';
import { joinPath } from '../../kit/names/path.ts';
import { parseJson } from '../../kit/rest/json.ts';
import { ChangeLine, type Facts, type Node, isItem, toItem } from './api.ts';
import type { Drive } from './drive.ts';

const chunkSize = 500;
/** Maximum bytes of a line, which may contain many nodes. */
const longestLine = 16 * 1024 * 1024;

/**
 * Returns what changed since a checkpoint. The service lists nodes with their parents: paths are resolved as far as the parents are known;
 * an unknown parent marks the result as incomplete. Without a checkpoint everything is read once, and only the last checkpoint is kept.
 */
export async function changesSince(drive: Drive, tree: ItemTree<Facts>, since: string | undefined, ask: CallOptions): Promise<Changes> {
  const { api, metadata, idOf, source } = drive;
  const { signal } = ask;
  const rootId = await idOf(source.root, ask);
  const items = new Map<string, Change>();
  let cursor = since;
  let incomplete = false;

  const placesOf = ({ parents = [], name = '' }: Node): string[] =>
    parents.flatMap((id) => (id === rootId ? ['/'] : tree.pathsOf(id))).map((folder) => joinPath(folder, nameOfItem(name)));

  function take(node: Node): void {
    if (node.isRoot) return;
    const places = placesOf(node);
    const isThere = isItem(node);
    const item = toItem(node);
    if (places.length === 0) incomplete = true;
    for (const path of [...tree.pathsOf(node.id), ...places]) items.set(path, { path });
    tree.pathsOf(node.id).forEach(tree.forget);
    if (isThere) for (const path of places) items.set(path, { path, entry: tree.learnt(path, item) });
  }

  try {
    for await (const line of linesOf(since)) {
      if (line.statusCode !== undefined && line.statusCode >= 400)
        throw new ConnectorError('unexpected', `changes ended with ${line.statusCode}`);
      if (line.reset) incomplete = true;
      if (since !== undefined) line.nodes?.filter(({ kind }) => kind !== 'ASSET').forEach(take);
      cursor = line.checkpoint ?? cursor;
    }
  } catch (error) {
    // The checkpoint has expired or belongs to another account.
    if (since === undefined || !isKind(error, 'notFound', 'unexpected')) throw error;
    return { ...(await changesSince(drive, tree, undefined, ask)), incomplete: true };
  }
  if (cursor === undefined) throw new ConnectorError('unexpected', 'changes without a checkpoint');
  return { cursor, items: [...items.values()], incomplete };

  async function* linesOf(checkpoint: string | undefined): AsyncGenerator<Static<typeof ChangeLine>> {
    const json = { chunkSize, includePurged: 'true', ...(checkpoint !== undefined && { checkpoint }) };
    const response = await api.send({ method: 'POST', url: await metadata('/changes', ask), json, signal });
    let isWhole = false;
    for await (const text of readLines(response.stream(), longestLine)) {
      if (text.trim() === '') continue;
      const line = parseJson(ChangeLine, text);
      isWhole ||= line.end === true;
      yield line;
    }
    if (!isWhole) throw new ConnectorError('interrupted', 'the changes broke off', { retryable: true });
  }
}
