import type { IncomingHttpHeaders } from 'node:http';
import { parentOf } from '@sheaf/connectors';
import { isFileName } from '@sheaf/contract';
import { hrefOf } from './address.ts';
import { type DavAnswer, DavError, xmlHead } from './answers.ts';
import type { Conditions } from './conditions.ts';
import { activeLock } from './properties.ts';
import type { Locks } from './state/locks.ts';
import { type ItemTarget, entryAt, placeName } from './targets.ts';
import { davChild, isDav, parseXml, writeContent } from './xml-tree.ts';

interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly conditions: Conditions;
  readonly accountId: string;
  readonly canWrite: boolean;
  readonly signal: AbortSignal;
}

const one = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header[0] : header);

/**
 * LOCK (RFC 4918, section 9.10): takes a lock, or without a body refreshes one. A lock on an address that names nothing reserves the name; nothing is
 * stored at the source until the PUT.
 */
export async function lock(target: ItemTarget, locks: Locks, asked: Asked): Promise<DavAnswer> {
  const { headers, body, conditions, accountId, canWrite, signal } = asked;
  const { at, item } = target;
  const timeout = one(headers['timeout']);
  const depth = one(headers['depth'])?.toLowerCase() ?? 'infinity';
  if (depth !== '0' && depth !== 'infinity') throw new DavError(400);
  if (!canWrite) throw new DavError(403);
  if (body.trim() === '') {
    const row = await locks.refresh(at, conditions.tokens, accountId, timeout);
    return { status: 200, body: discovery(activeLock(row, hrefOf(target.names, target.isFolder))) };
  }
  const root = parseXml(body);
  const scope = davChild(root, 'lockscope');
  const type = davChild(root, 'locktype');
  if (!isDav(root, 'lockinfo') || !scope || !type || !davChild(type, 'write')) throw new DavError(400);
  const owner = davChild(root, 'owner');
  const entry = await entryAt(target, signal);
  if (!entry) {
    if (!isFileName(placeName(at))) throw new DavError(403);
    // The name is reserved in an existing folder only.
    if (parentOf(item.path) !== '/') {
      const folder = await entryAt({ ...target, item: { ...item, path: parentOf(item.path) } }, signal);
      if (folder?.kind !== 'folder') throw new DavError(409);
    }
    await locks.check([{ at, isMember: true, isTree: false }], conditions.tokens, accountId);
  }
  const isDeep = depth === 'infinity' && entry?.kind === 'folder';
  const isShared = davChild(scope, 'shared') !== undefined;
  const row = await locks.take({ at, accountId, isShared, isDeep, owner: owner ? writeContent(owner.content) : '', timeout });
  return {
    status: entry ? 200 : 201,
    headers: { 'lock-token': `<${row.token}>` },
    body: discovery(activeLock(row, hrefOf(target.names, entry?.kind === 'folder'))),
  };
}

/** UNLOCK (RFC 4918, section 9.11). */
export async function unlock(target: ItemTarget, locks: Locks, headers: IncomingHttpHeaders, accountId: string): Promise<DavAnswer> {
  const [, token] = /^\s*<([^<>]+)>\s*$/.exec(one(headers['lock-token']) ?? '') ?? [];
  if (token === undefined) throw new DavError(400);
  await locks.release(target.at, token, accountId);
  return { status: 204 };
}

const discovery = (active: string): string => `${xmlHead}<D:prop xmlns:D="DAV:"><D:lockdiscovery>${active}</D:lockdiscovery></D:prop>`;
