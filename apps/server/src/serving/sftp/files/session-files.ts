import { Readable } from 'node:stream';
import { type Entry, nameOf, parentOf } from '@sheaf/connectors';
import type { Listings } from '#/files/listings/service.ts';
import type { Dav, DavMethod } from '#/serving/dav/service.ts';
import { type ItemTarget, type Target, changeable, entryAt, targetAt } from '#/serving/dav/targets.ts';
import type { Window } from '#/serving/programs/windows.ts';
import type { ObjectMemory } from '#/serving/s3/objects/memory.ts';
import type { Room } from '../account-rooms.ts';
import { davPathOf, resolved } from '../places.ts';
import { type Attrs, SftpError, openFlag, status } from '../wire/codec.ts';
import { openFolderReader } from './folder.ts';
import type { Handle, WriterHandle } from './handle.ts';
import type { InterruptedUploads } from './interrupted.ts';
import { openReader } from './reading.ts';
import { createRecentEntries } from './recent-entries.ts';
import { spaceOf } from './space.ts';
import { createTimes } from './times.ts';
import { type FileWriter, openWriter } from './writing.ts';

export interface FilesDeps {
  readonly dav: Pick<Dav, 'handle'>;
  readonly listings: Listings;
  readonly memory: ObjectMemory;
  /** Uploads of this program that other connections have left. */
  readonly interrupted: ReturnType<InterruptedUploads['of']>;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
  readonly room: Room;
}

/** Most files and folders that one connection has open. */
export const mostHandles = 100;

/** What a client of SFTP has open, and what it may do with the files of its window. Everything ends with `signal` but uploads. Rejects with SftpErrors, and the errors of the links. */
export function createSessionFiles(window: Window, { dav, listings, memory, interrupted, stopping, room }: FilesDeps, signal: AbortSignal) {
  /** Ends uploads, which may outlive the connection. */
  const lasting = AbortSignal.any([window.program.ended, stopping]);
  const canWrite = window.program.rights === 'write';
  const handles = new Map<string, Handle>();
  /** Files that are being written, by path: clients look at them before they are stored. */
  const writing = new Map<string, WriterHandle>();
  /** Files that are being opened for writing: sshfs asks for a file's attributes before it has heard that it is open. */
  const opening = new Map<string, Promise<unknown>>();
  const times = createTimes(memory);
  const recent = createRecentEntries(Date.now);
  let lastHandle = 0;
  /** Whether the client asks for nothing more. */
  let isOver = false;

  const target = (path: string): Promise<Target> => targetAt(davPathOf(path), window);
  const item = async (path: string): Promise<ItemTarget> => changeable(await target(path));
  const mustWrite = (): void => {
    if (!canWrite) throw new SftpError(status.permissionDenied, 'This app password may read only.');
  };

  /** Keeps what `open` opens, which is not called where there is no room for it. */
  function keep<H extends Handle>(open: () => H): { readonly id: string; readonly handle: H } {
    // Nobody would close it.
    if (isOver) throw new SftpError(status.failure, 'The session has ended.');
    if (handles.size >= mostHandles || !room.take('files')) throw new SftpError(status.failure, 'Too many files are open.');
    const id = String(++lastHandle);
    const handle = open();
    handles.set(id, handle);
    return { id, handle };
  }
  /** The open file or folder with that id. */
  function handleOf(id: string): Handle {
    const handle = handles.get(id);
    if (!handle) throw new SftpError(status.failure, 'The handle is not open.');
    return handle;
  }

  /**
   * Waits until a closed file at a path is stored or has failed. The request that closed it gets its error, as the one that opens a file does; every
   * other request is answered by what the source holds then.
   */
  const stored = async (path: string): Promise<void> => await writing.get(resolved(path))?.finished?.catch(() => undefined);

  /** Whether the listing tells that nothing is there. Limited programs ask the storage, which may have a symbolic link on the way. */
  const isFree = async ({ item: { userId, userLinkId, connector, path } }: ItemTarget): Promise<boolean> =>
    !window.isLimited && (await listings.isFree({ userId, linkId: userLinkId, connector, path }));

  /** The entry at a path. A file that is being stored is waited for. */
  async function entryOf(path: string): Promise<Entry> {
    await opening.get(resolved(path))?.catch(() => undefined);
    const pending = writing.get(resolved(path));
    if (pending?.finished) await stored(path);
    else if (pending)
      return { name: nameOf(resolved(path)), kind: 'file', size: pending.writer.size(), modified: Math.trunc(Date.now() / 1000) };
    const left = interrupted.size(resolved(path));
    if (left !== undefined) return { name: nameOf(resolved(path)), kind: 'file', size: left };
    const found = await target(path);
    if (found.kind !== 'item') return { name: '', kind: 'folder' };
    const known = recent.takeStored(resolved(path));
    const noteMissing = recent.asking(resolved(path));
    const entry = known ?? ((await isFree(found)) ? undefined : await entryAt(found, signal));
    if (!entry) noteMissing();
    if (!entry) throw new SftpError(status.noSuchFile, 'There is no such file.');
    return times.shown(found.item, found.item.path, entry);
  }

  /** Opens a file; `flags` are those of the protocol. Returns its handle. */
  function openFile(path: string, flags: number): Promise<string> {
    if ((flags & openFlag.write) === 0) return openReading(path);
    const key = resolved(path);
    const task = openWriting(path, flags).finally(() => opening.delete(key));
    opening.set(key, task);
    return task;
  }
  async function openReading(path: string): Promise<string> {
    const found = await item(path);
    // Its bytes are read as those of the entry that is there now.
    recent.forget(resolved(path));
    const entry = await entryOf(path);
    if (entry.kind === 'folder') throw new SftpError(status.failure, 'This is a folder.');
    return keep(() => ({ kind: 'reader', reader: openReader(found.item, entry, room, signal), target: found })).id;
  }
  async function openWriting(path: string, flags: number): Promise<string> {
    const found = await item(path);
    mustWrite();
    await stored(path);
    // A client that continues an upload keeps what is there.
    const isWhole = (flags & (openFlag.truncate | openFlag.exclusive)) !== 0;
    const left = isWhole ? undefined : interrupted.take(resolved(path));
    if (left) {
      try {
        return keepWriter(path, found, () => left, true);
      } catch (error) {
        interrupted.keep(resolved(path), left);
        throw error;
      }
    }
    interrupted.giveUp(resolved(path));
    // A file that others have made meanwhile is replaced, or refuses to be: only one that is continued must be what it is now.
    const isNew = isWhole && (recent.isMissing(resolved(path)) || (await isFree(found)));
    const before = isNew ? undefined : await entryAt(found, signal);
    recent.forget(resolved(path));
    if (before?.kind === 'folder') throw new SftpError(status.failure, 'This is a folder.');
    if (!before && (flags & openFlag.create) === 0) throw new SftpError(status.noSuchFile, 'There is no such file.');
    if (before && (flags & openFlag.exclusive) !== 0) throw new SftpError(status.failure, 'Something has this name already.');
    const isContinued = before !== undefined && before.size !== 0 && (flags & openFlag.truncate) === 0;
    if (isContinued && before.size === undefined)
      throw new SftpError(status.unsupported, 'The size of this file is not known: it can be replaced as a whole only.');
    const ifExists = (flags & openFlag.exclusive) === 0 ? 'replace' : 'fail';
    const options = { window, item: found.item, ifExists, room, signal: lasting, ...(isContinued && { before }) } as const;
    return keepWriter(path, found, () => openWriter(options), before === undefined);
  }
  function keepWriter(path: string, found: ItemTarget, open: () => FileWriter, isNew: boolean): string {
    const { id, handle } = keep(() => ({
      kind: 'writer' as const,
      writer: open(),
      target: found,
      path: resolved(path),
      isNew,
      modified: undefined,
      finished: undefined,
    }));
    writing.set(handle.path, handle);
    return id;
  }

  /** Stores a written file, with the time that the client has set, if any. */
  function finish(handle: WriterHandle): Promise<void> {
    const work = async (): Promise<void> => {
      const entry = await handle.writer.finish();
      recent.noteStored(handle.path, entry);
      if (handle.modified !== undefined) await times.keep(handle.target.item, handle.target.item.path, entry, handle.modified);
    };
    return (handle.finished ??= work().finally(() => {
      for (const [path, one] of writing) if (one === handle) writing.delete(path);
    }));
  }

  /** Opens a folder once the closed files in it are stored: sshfs goes on before it has heard that a file is closed. */
  async function openFolder(path: string): Promise<string> {
    const folder = resolved(path);
    await Promise.all([...writing.keys()].filter((file) => parentOf(file) === folder).map(stored));
    const next = await openFolderReader(await target(path), { window, listings, times, signal });
    return keep(() => ({ kind: 'folder', next })).id;
  }

  /** Makes a change by the same code as WebDAV, so that its locks hold and its properties follow. */
  async function change(method: DavMethod, path: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    recent.forgetAll();
    const handled = dav.handle({
      method,
      path: davPathOf(path),
      headers,
      window,
      size: 0,
      text: async () => '',
      body: () => Readable.from([]),
      signal,
    });
    await handled.finally(recent.forgetAll);
  }

  async function remove(path: string, kind: Entry['kind']): Promise<void> {
    mustWrite();
    if (interrupted.giveUp(resolved(path))) return;
    const found = await item(path);
    const entry = await entryAt(found, signal);
    if (!entry) throw new SftpError(status.noSuchFile, 'There is no such file.');
    if (entry.kind !== kind) throw new SftpError(status.failure, kind === 'file' ? 'This is a folder.' : 'This is no folder.');
    if (kind === 'folder')
      for await (const batch of found.item.connector.list(found.item.path, { signal }))
        if (batch.length > 0) throw new SftpError(status.failure, 'The folder is not empty.');
    await change('DELETE', path);
  }

  async function rename(from: string, to: string, overwrite: boolean): Promise<void> {
    mustWrite();
    const pending = writing.get(resolved(from));
    if (pending) await finish(pending);
    await change('MOVE', from, { destination: davPathOf(to), overwrite: overwrite ? 'T' : 'F' });
  }

  /** Rights and owners do not exist here, and are ignored; a size can only be 0 or what it is. */
  async function setAttrs(path: string, { size, modified }: Attrs): Promise<void> {
    mustWrite();
    const pending = writing.get(resolved(path));
    if (pending && !pending.finished) {
      setPending(pending, { ...(size !== undefined && { size }), ...(modified !== undefined && { modified }) });
      return;
    }
    await stored(path);
    const found = await item(path);
    let entry = recent.stored(resolved(path)) ?? (await entryAt(found, signal));
    if (!entry) throw new SftpError(status.noSuchFile, 'There is no such file.');
    if (size !== undefined && size !== entry.size) {
      if (size !== 0) throw new SftpError(status.unsupported, 'Files are replaced as a whole: a part of one cannot be changed.');
      entry = await openWriter({ window, item: found.item, ifExists: 'replace', room, signal }).finish();
      recent.noteStored(resolved(path), entry);
    }
    if (modified !== undefined && entry.kind === 'file') await times.keep(found.item, found.item.path, entry, modified);
  }
  function setPending(handle: WriterHandle, { size, modified }: Attrs): void {
    if (size !== undefined && size !== handle.writer.size()) throw new SftpError(status.unsupported, 'A size cannot be set.');
    if (modified !== undefined) handle.modified = modified;
  }

  /** Stores a file that is closed; false when the handle is not open. */
  async function close(id: string): Promise<boolean> {
    const handle = handles.get(id);
    if (handles.delete(id)) room.give('files');
    if (handle?.kind === 'reader') handle.reader.close();
    if (handle?.kind === 'writer') await finish(handle);
    return handle !== undefined;
  }

  return {
    canWrite,
    handleOf,
    openFile,
    openFolder,
    close,
    finish,
    entryOf,
    setAttrs,
    setPending,
    rename,
    remove,
    async makeFolder(path: string): Promise<void> {
      mustWrite();
      await change('MKCOL', path);
    },
    /** Room at the source of a path or of an open file. */
    space: async (at: string | Target) => spaceOf(typeof at === 'string' ? await target(at) : at, canWrite, signal),
    /** Called when the client asks for nothing more: uploads that another connection may continue are kept. */
    leave(): void {
      isOver = true;
      for (const handle of handles.values()) {
        if (handle.kind === 'reader') handle.reader.close();
        if (handle.kind !== 'writer' || handle.finished) continue;
        if (handle.isNew && !lasting.aborted) interrupted.keep(handle.path, handle.writer);
        else handle.writer.abandon();
      }
    },
    /** Gives back the room of what is still open. */
    release(): void {
      room.give('files', handles.size);
      handles.clear();
    },
  };
}
