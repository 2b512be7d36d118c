import { randomUUID } from 'node:crypto';
import { type Entry, joinPath, nameOf, parentOf } from '@sheaf/connectors';
import { AppError, foldName } from '@sheaf/contract';
import { type Transfers, transfersOf } from '#/files/content/transfers.ts';
import { checkName } from '#/files/items/open-item.ts';
import type { Listings } from '#/files/listings/service.ts';
import { type DavAnswer, DavError } from './answers.ts';
import { type End, copyTree, moveBySource, streamFile } from './copying.ts';
import type { Locks } from './state/locks.ts';
import type { PropertyStore } from './state/property-store.ts';
import { type ItemTarget, type Location, entryAt } from './targets.ts';

interface Deps {
  readonly listings: Listings;
  readonly transfers: Transfers;
  readonly locks: Locks;
  readonly properties: PropertyStore;
}

export interface Relocation {
  readonly kind: 'copy' | 'move';
  readonly from: ItemTarget;
  readonly to: ItemTarget;
  readonly overwrite: boolean;
  /** False: a folder without its content. */
  readonly isDeep: boolean;
  readonly tokens: ReadonlySet<string>;
  readonly accountId: string;
}

/**
 * COPY and MOVE (RFC 4918, sections 9.8 and 9.9). Within a link the source moves and copies itself where it can; otherwise, and between links, bytes are
 * passed on, and what is moved is removed after the last of them is stored. What is overwritten is set aside first and put back if the rest fails.
 */
export function createRelocate({ listings, transfers, locks, properties }: Deps) {
  const note = (end: End, change: { gone?: string; put?: Entry }): Promise<void> =>
    listings.note(end.item.userLinkId, parentOf(end.path), change);

  /** Sets an item aside under a visible name, because it is the user's only copy until the new one is there. */
  async function setAside(end: End, signal: AbortSignal): Promise<{ back(): Promise<void>; remove(): Promise<void> }> {
    const { connector } = end.item;
    const { rename, remove } = connector;
    if (!remove) throw new DavError(403);
    const kept = `sheaf-kept-${randomUUID().slice(0, 13)}`;
    const aside = joinPath(parentOf(end.path), kept);
    const moved = rename && (await moveBySource(connector, end.path, aside, signal));
    if (!moved) {
      await remove(end.path, { signal });
      return { back: async () => undefined, remove: async () => undefined };
    }
    await note(end, { gone: nameOf(end.path), put: moved });
    await listings.forget(end.item.userLinkId, end.path);
    // Not with the request's signal: a client that leaves must not lose its file.
    const own = (): AbortSignal => AbortSignal.timeout(60_000);
    return {
      async back() {
        const put = await rename(aside, nameOf(end.path), { signal: own() });
        await note(end, { gone: kept, put });
      },
      async remove() {
        await remove(aside, { signal: own() });
        await note(end, { gone: kept });
        await listings.forget(end.item.userLinkId, aside);
      },
    };
  }

  async function place({ kind, isDeep }: Relocation, from: End, entry: Entry, to: End, signal: AbortSignal): Promise<Entry> {
    if (kind === 'copy') return copyTree(from, entry, to, isDeep, signal);
    const moved = from.item.userLinkId === to.item.userLinkId && (await moveBySource(from.item.connector, from.path, to.path, signal));
    if (moved) return moved;
    const { remove } = from.item.connector;
    if (!remove) throw new DavError(403);
    const copied = await copyTree(from, entry, to, true, signal);
    await remove(from.path, { signal });
    return copied;
  }

  return async (asked: Relocation, signal: AbortSignal): Promise<DavAnswer> => {
    const { kind, overwrite, tokens, accountId } = asked;
    const [from, to] = [asked.from, asked.to].map(({ item }) => ({ item, path: item.path })) as [End, End];
    const isSameLink = from.item.userLinkId === to.item.userLinkId;
    if (overlap(asked.from.at, asked.to.at)) throw new DavError(403);
    checkName(nameOf(to.path), to.item.provider);
    const entry = await entryAt(asked.from, signal);
    if (!entry) throw new DavError(404);
    const isRecased = isSameLink && kind === 'move' && foldName(from.path) === foldName(to.path);
    const existing = isRecased ? undefined : await entryAt(asked.to, signal);
    if (existing && !overwrite) throw new DavError(412);
    const folder = parentOf(to.path);
    if (!existing && folder !== '/') {
      const above = await entryAt({ ...asked.to, item: { ...to.item, path: folder } }, signal);
      if (above?.kind !== 'folder') throw new DavError(409);
    }
    await locks.check(
      [
        ...(kind === 'move' ? [{ at: asked.from.at, isMember: true, isTree: true }] : []),
        { at: asked.to.at, isMember: !existing, isTree: true },
      ],
      tokens,
      accountId,
    );
    if (kind === 'move') await transfersOf(transfers, from.item).check(from.path, signal);
    const put = await relocated(asked, from, entry, to, existing, signal);
    await note(to, { put });
    if (kind === 'move') await note(from, { gone: nameOf(from.path) });
    if (entry.kind === 'folder' || existing?.kind === 'folder') {
      await listings.forget(to.item.userLinkId, to.path);
      if (kind === 'move') await listings.forget(from.item.userLinkId, from.path);
    }
    await properties.relocate(kind, asked.from.at, asked.to.at);
    if (kind === 'move') await locks.forget(asked.from.at);
    return { status: existing ? 204 : 201 };
  };

  async function relocated(
    asked: Relocation,
    from: End,
    entry: Entry,
    to: End,
    existing: Entry | undefined,
    signal: AbortSignal,
  ): Promise<Entry> {
    try {
      if (!existing) return await place(asked, from, entry, to, signal);
      const isCopied = asked.kind === 'copy' && !(from.item.userLinkId === to.item.userLinkId && from.item.connector.copy);
      if (isCopied && entry.kind === 'file' && existing.kind === 'file') return await streamFile(from, entry, to, 'replace', signal);
      const aside = await setAside(to, signal);
      let put: Entry;
      try {
        put = await place(asked, from, entry, to, signal);
      } catch (error) {
        // A part of the new one may have taken the name; the old one then stays where it is, in sight.
        await aside.back().catch((reason: unknown) => {
          if (!(reason instanceof AppError)) throw reason;
        });
        throw error;
      }
      await aside.remove();
      return put;
    } catch (error) {
      // Something took the name meanwhile.
      if (error instanceof AppError && error.messageCode === 'NAME_TAKEN') throw new DavError(asked.overwrite ? 409 : 412);
      throw error;
    }
  }
}

/** Whether one lies in the other, or both are the same, whichever way they are reached. */
function overlap(one: Location, other: Location): boolean {
  if (one.linkId !== other.linkId) return false;
  return one.path === other.path || other.path.startsWith(`${one.path}/`) || one.path.startsWith(`${other.path}/`);
}
