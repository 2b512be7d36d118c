import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { nameOf, parentOf } from '@sheaf/connectors';
import { linkUriOf } from '@sheaf/contract';
import type { OpenFile } from '#/files/bodies/files.ts';
import type { Transfers } from '#/files/content/transfers.ts';
import { isRow } from '#/files/items/entry-at.ts';
import type { Listings } from '#/files/listings/service.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Window } from '#/serving/programs/windows.ts';
import { hostKey, pathOf } from './address.ts';
import { type DavAnswer, DavError } from './answers.ts';
import { type Conditions, checkIf } from './conditions.ts';
import { lock, unlock } from './locking.ts';
import { wantedIn } from './properties.ts';
import { createPropfind, isDeepOf } from './propfind.ts';
import { proppatch } from './proppatch.ts';
import { put } from './put.ts';
import { createRelocate } from './relocate.ts';
import type { LockStore } from './state/lock-store.ts';
import { createLocks } from './state/locks.ts';
import type { PropertyStore } from './state/property-store.ts';
import { createRecentItems } from './state/recent-items.ts';
import { orReserved } from './state/reserved.ts';
import { type ItemTarget, type Target, changeable, entryAt, locationOf, targetAt } from './targets.ts';

interface Deps {
  readonly listings: Listings;
  readonly transfers: Transfers;
  readonly lockStore: LockStore;
  readonly properties: PropertyStore;
  readonly publicUrl: string;
  /** Epoch seconds. */
  readonly now: Clock;
}

export const davMethods = ['PROPFIND', 'PROPPATCH', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'UNLOCK', 'PUT', 'DELETE'] as const;
export type DavMethod = (typeof davMethods)[number];

/** A request of a program that has signed in. */
export interface DavRequest {
  readonly method: DavMethod;
  /** As sent, percent-encoded, without query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly window: Window;
  /** Announced bytes of the body; absent for a chunked one. */
  readonly size?: number;
  /** Reads a small XML body. */
  readonly text: () => Promise<string>;
  /** Begins to read the body. */
  readonly body: () => Readable;
  readonly signal: AbortSignal;
}

export type Dav = ReturnType<typeof createDav>;

/** WebDAV, class 2 (RFC 4918), over the links and Spaces of an account. Throws DavError and AppError. */
export function createDav({ listings, transfers, lockStore, properties, publicUrl, now }: Deps) {
  const locks = createLocks({ store: lockStore, now });
  const recent = createRecentItems(Date.now);
  const propfind = createPropfind({ listings, locks, properties, recent, now: Date.now });
  const relocate = createRelocate({ listings, transfers, locks, properties });
  const ownHost = hostKey(new URL(publicUrl).host);
  const one = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header[0] : header);
  const hostsOf = (headers: IncomingHttpHeaders): ReadonlySet<string> => new Set([ownHost, hostKey(headers.host ?? '')]);

  /** Throws 409 where the folder for a new item is missing, which some storages would make: RFC 4918, sections 9.3.1 and 9.7.1. */
  async function mustHaveFolder({ item, ...target }: ItemTarget, signal: AbortSignal): Promise<void> {
    const folder = parentOf(item.path);
    if (folder === '/' || recent.kindOf(locationOf(item, folder)) === 'folder') return;
    const known = await listings.findEntry(item.userLinkId, parentOf(folder), nameOf(folder));
    if (known?.kind === 'folder') return;
    const found = await entryAt({ ...target, item: { ...item, path: folder } }, signal);
    if (found?.kind !== 'folder') throw new DavError(409);
    recent.note(locationOf(item, folder), 'folder');
  }

  async function makeFolder(target: Target, { headers, size, window, signal }: DavRequest, conditions: Conditions): Promise<DavAnswer> {
    // The root and links exist: RFC 4918, section 9.3.1.
    if (target.kind !== 'item' || target.item.path === '/') throw new DavError(405);
    if (size !== 0 || headers['transfer-encoding'] !== undefined) throw new DavError(415);
    const { at, item } = target;
    await locks.check([{ at, isMember: true, isTree: false }], conditions.tokens, window.program.accountId);
    // rclone makes the folder before each file that it uploads. Limited programs ask the storage, which may have a symbolic link there.
    if (!window.isLimited && recent.kindOf(at) === 'folder') throw new DavError(405);
    await mustHaveFolder(target, signal);
    const parentLinkUri = linkUriOf(item.userLinkId, parentOf(item.path));
    try {
      await window.content.addFolder(item.userId, { parentLinkUri, folderName: nameOf(item.path), conflict: 'fail' }, signal);
    } catch (error) {
      if (isRow(error, 'ITEM_NOT_FOUND')) throw new DavError(409);
      if (isRow(error, 'NAME_TAKEN') && (await entryAt(target, signal))?.kind === 'folder') recent.note(at, 'folder');
      throw error;
    }
    recent.note(at, 'folder');
    listings.expect({ userId: item.userId, linkId: item.userLinkId, connector: item.connector, path: item.path });
    return { status: 201 };
  }

  async function remove(target: Target, { headers, window, signal }: DavRequest, conditions: Conditions): Promise<DavAnswer> {
    const found = changeable(target);
    const depth = one(headers['depth'])?.toLowerCase() ?? 'infinity';
    if (depth !== 'infinity' && depth !== '0') throw new DavError(400);
    await locks.check([{ at: found.at, isMember: true, isTree: true }], conditions.tokens, window.program.accountId);
    recent.forget(found.at.linkId);
    await window.content.remove(found.item.userId, { linkUri: found.item.linkUri }, signal).catch(async (error: unknown) => {
      // Nothing is stored where a lock has reserved a name, which is given up.
      if (!isRow(error, 'ITEM_NOT_FOUND') || !(await locks.isReserved(found.at))) throw error;
    });
    recent.forget(found.at.linkId);
    await properties.remove(found.at.linkId, found.at.path);
    await locks.forget(found.at);
    return { status: 204 };
  }

  async function copyOrMove(target: Target, request: DavRequest, conditions: Conditions): Promise<DavAnswer> {
    const { method, headers, window, signal } = request;
    const from = changeable(target);
    const destination = one(headers['destination']);
    if (destination === undefined) throw new DavError(400);
    const path = pathOf(destination, hostsOf(headers));
    // Another server: RFC 4918, section 9.8.5.
    if (path === undefined) throw new DavError(502);
    const to = changeable(await targetAt(path, window));
    const depth = one(headers['depth'])?.toLowerCase() ?? 'infinity';
    if (depth !== 'infinity' && (depth !== '0' || method === 'MOVE')) throw new DavError(400);
    const overwrite = one(headers['overwrite'])?.trim().toUpperCase() ?? 'T';
    if (overwrite !== 'T' && overwrite !== 'F') throw new DavError(400);
    const forget = (): void => [from, to].forEach(({ at }) => recent.forget(at.linkId));
    forget();
    return relocate(
      {
        kind: method === 'MOVE' ? 'move' : 'copy',
        from,
        to,
        overwrite: overwrite === 'T',
        isDeep: depth === 'infinity',
        tokens: conditions.tokens,
        accountId: window.program.accountId,
      },
      signal,
    ).finally(forget);
  }

  return {
    async handle(request: DavRequest): Promise<DavAnswer> {
      const { method, path, headers, window, signal } = request;
      const { accountId, rights } = window.program;
      const canWrite = rights === 'write';
      if (method === 'PROPFIND') {
        const isDeep = isDeepOf(one(headers['depth']));
        const wanted = wantedIn(await request.text());
        return propfind(await targetAt(path, window), { isDeep, wanted, window, signal });
      }
      if (!canWrite) throw new DavError(403);
      const target = await targetAt(path, window);
      const conditions = await checkIf({ headers, window, target, hosts: hostsOf(headers), signal }, locks);
      switch (method) {
        case 'LOCK':
          return lock(changeable(target), locks, { headers, body: await request.text(), conditions, accountId, canWrite, signal });
        case 'UNLOCK':
          return unlock(changeable(target), locks, headers, accountId);
        case 'MKCOL':
          return makeFolder(target, request, conditions);
        case 'DELETE':
          return remove(target, request, conditions);
        case 'COPY':
        case 'MOVE':
          return copyOrMove(target, request, conditions);
        case 'PROPPATCH': {
          const found = changeable(target);
          await locks.check([{ at: found.at, isMember: false, isTree: false }], conditions.tokens, accountId);
          return proppatch(found, await request.text(), properties, signal);
        }
        case 'PUT': {
          if (target.kind !== 'item' || target.item.path === '/') throw new DavError(405);
          const known = await listings.findEntry(target.item.userLinkId, parentOf(target.item.path), nameOf(target.item.path));
          await locks.check([{ at: target.at, isMember: !known, isTree: false }], conditions.tokens, accountId);
          if (!known) await mustHaveFolder(target, signal);
          const stored = await put(target, listings, request);
          recent.note(target.at, 'file');
          return stored;
        }
      }
    },

    /** The file for GET and HEAD; undefined for a folder and for what stands above the links. */
    async file(path: string, window: Window, signal: AbortSignal): Promise<OpenFile | undefined> {
      const target = await targetAt(path, window);
      if (target.kind !== 'item' || target.item.path === '/') return undefined;
      if (target.isFolder) {
        const entry = await entryAt(target, signal);
        if (!entry) throw new DavError(404);
        if (entry.kind === 'folder') return undefined;
      }
      return orReserved(await window.content.openFile(target.item.userId, target.item.linkUri), () => locks.isReserved(target.at));
    },

    sweep: () => locks.sweep(),
  };
}
