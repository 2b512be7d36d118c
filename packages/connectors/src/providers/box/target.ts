import type { WriteOptions } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import { assertSame } from '../../kit/hash/content-hash.ts';
import { type BoxItem, type Node, timeText } from './api.ts';
import { type BoxClient, nodeOf } from './client.ts';

/** Destination of an upload: a new file, or a new version of an existing one. */
export interface Target {
  readonly folder: string;
  readonly name: string;
  readonly file?: string;
}

export type AimOptions = Pick<WriteOptions, 'ifExists' | 'size' | 'signal'>;

/** Resolves the destination of an upload; rejects with `alreadyExists`, `isAFolder`, `badName` and others before any byte is sent. */
export async function aim(client: BoxClient, { folder, name }: Target, { ifExists, size, signal }: AimOptions): Promise<Target> {
  const there = await client.occupant(folder, name, size, signal);
  if (!there) return { folder, name };
  if (ifExists === 'fail') throw new ConnectorError('alreadyExists', 'the name is taken');
  if (there.type === 'folder') throw new ConnectorError('isAFolder', 'a folder has that name');
  if (there.type !== 'file') throw new ConnectorError('alreadyExists', 'a web link has that name');
  return { folder, name, file: there.id };
}

export const addressOf = ({ file }: Target): string => (file === undefined ? '/files/content' : `/files/${file}/content`);

export const attributesOf = ({ folder, name, file }: Target, { modified }: WriteOptions) => ({
  name,
  ...(file === undefined && { parent: { id: folder } }),
  ...(modified !== undefined && { content_modified_at: timeText(modified) }),
});

/** Returns the file of an upload's response; rejects with `damaged` when its hash differs from what was sent. */
export function storedAs(entries: readonly BoxItem[], hash: string): Node {
  const [item] = entries;
  if (!item) throw new ConnectorError('unexpected', 'an upload without a file');
  const node = nodeOf(item);
  assertSame(hash, node.facts.sha1);
  return node;
}
