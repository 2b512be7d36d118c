import { once } from 'node:events';
import { type Duplex, Readable } from 'node:stream';
import { type Entry, nameOf } from '@sheaf/connectors';
import type { Listings } from '#/files/listings/service.ts';
import type { Dav, DavMethod } from '#/serving/dav/service.ts';
import { type ItemTarget, type Target, changeable, entryAt, targetAt } from '#/serving/dav/targets.ts';
import type { Window } from '#/serving/programs/windows.ts';
import type { ObjectMemory } from '#/serving/s3/objects/memory.ts';
import type { Room } from './account-rooms.ts';
import { openFolderReader } from './files/folder.ts';
import type { Handle, WriterHandle } from './files/handle.ts';
import type { InterruptedUploads } from './files/interrupted.ts';
import { openReader } from './files/reading.ts';
import { spaceOf } from './files/space.ts';
import { createTimes } from './files/times.ts';
import { type FileWriter, openWriter } from './files/writing.ts';
import { attrsOf, davPathOf, namedAttrs, refusalOf, resolved } from './places.ts';
import {
  type Attrs,
  type PacketReader,
  SftpError,
  answers,
  longestData,
  longestPacket,
  openFlag,
  readPacket,
  request,
  status,
} from './wire/codec.ts';
import { costOf, packetsOf } from './wire/packets.ts';

interface Deps {
  readonly dav: Pick<Dav, 'handle'>;
  readonly listings: Listings;
  readonly memory: ObjectMemory;
  /** Uploads of this program that other connections have left. */
  readonly interrupted: ReturnType<InterruptedUploads['of']>;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
  /** Called with an error that is no refusal. */
  readonly onError: (error: unknown) => void;
}

/** Most files and folders that one connection has open, and most requests that are answered at the same time. */
const mostHandles = 100;
const mostAtOnce = { requests: 64, bytes: 4 * 1024 * 1024 };

/** Speaks SFTP, version 3, on a channel until it ends. */
export async function serveSftp(
  channel: Duplex,
  window: Window,
  { dav, listings, memory, interrupted, stopping, room, onError }: Deps & { readonly room: Room },
  outer: AbortSignal,
): Promise<void> {
  const closed = new AbortController();
  const signal = AbortSignal.any([outer, closed.signal]);
  /** Ends uploads, which may outlive the connection. */
  const lasting = AbortSignal.any([window.program.ended, stopping]);
  const canWrite = window.program.rights === 'write';
  const handles = new Map<string, Handle>();
  /** Files that are being written, by path: clients look at them before they are stored. */
  const writing = new Map<string, WriterHandle>();
  /** Files that are being opened for writing: sshfs asks for a file's attributes before it has heard that it is open. */
  const opening = new Map<string, Promise<unknown>>();
  const times = createTimes(memory);
  let lastHandle = 0;

  const target = (path: string): Promise<Target> => targetAt(davPathOf(path), window);
  const item = async (path: string): Promise<ItemTarget> => changeable(await target(path));
  const mustWrite = (): void => {
    if (!canWrite) throw new SftpError(status.permissionDenied, 'This app password may read only.');
  };

  /** Keeps what `open` opens, which is not called where there is no room for it. */
  function keep<H extends Handle>(open: () => H): { readonly id: string; readonly handle: H } {
    if (handles.size >= mostHandles || !room.take('files')) throw new SftpError(status.failure, 'Too many files are open.');
    const id = String(++lastHandle);
    const handle = open();
    handles.set(id, handle);
    return { id, handle };
  }
  function handleOf(packet: PacketReader): Handle {
    const handle = handles.get(packet.data().toString('latin1'));
    if (!handle) throw new SftpError(status.failure, 'The handle is not open.');
    return handle;
  }

  /**
   * Waits until a closed file at a path is stored or has failed. The request that closed it gets its error, as the one that opens a file does; every
   * other request is answered by what the source holds then.
   */
  const stored = async (path: string): Promise<void> => await writing.get(resolved(path))?.finished?.catch(() => undefined);

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
    const entry = await entryAt(found, signal);
    if (!entry) throw new SftpError(status.noSuchFile, 'There is no such file.');
    return times.shown(found.item, found.item.path, entry);
  }

  async function openFile(path: string, flags: number): Promise<string> {
    const found = await item(path);
    if ((flags & openFlag.write) === 0) {
      const entry = await entryOf(path);
      if (entry.kind === 'folder') throw new SftpError(status.failure, 'This is a folder.');
      return keep(() => ({ kind: 'reader', reader: openReader(found.item, entry, room, signal), target: found })).id;
    }
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
    const before = await entryAt(found, signal);
    if (before?.kind === 'folder') throw new SftpError(status.failure, 'This is a folder.');
    if (!before && (flags & openFlag.create) === 0) throw new SftpError(status.noSuchFile, 'There is no such file.');
    if (before && (flags & openFlag.exclusive) !== 0) throw new SftpError(status.failure, 'Something has this name already.');
    if (before && before.size !== 0 && (flags & openFlag.truncate) === 0)
      throw new SftpError(status.unsupported, 'A stored file is replaced as a whole: it cannot be continued or changed in part.');
    const ifExists = (flags & openFlag.exclusive) === 0 ? 'replace' : 'fail';
    return keepWriter(path, found, () => openWriter(window, found.item, ifExists, room, lasting), before === undefined);
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
      if (handle.modified !== undefined) await times.keep(handle.target.item, handle.target.item.path, entry, handle.modified);
    };
    return (handle.finished ??= work().finally(() => {
      for (const [path, one] of writing) if (one === handle) writing.delete(path);
    }));
  }

  async function openFolder(path: string): Promise<string> {
    const next = await openFolderReader(await target(path), { window, listings, times, signal });
    return keep(() => ({ kind: 'folder', next })).id;
  }

  /** Makes a change by the same code as WebDAV, so that its locks hold and its properties follow. */
  async function change(method: DavMethod, path: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    await dav.handle({
      method,
      path: davPathOf(path),
      headers,
      window,
      size: 0,
      text: async () => '',
      body: () => Readable.from([]),
      signal,
    });
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
    let entry = await entryAt(found, signal);
    if (!entry) throw new SftpError(status.noSuchFile, 'There is no such file.');
    if (size !== undefined && size !== entry.size) {
      if (size !== 0) throw new SftpError(status.unsupported, 'Files are replaced as a whole: a part of one cannot be changed.');
      entry = await openWriter(window, found.item, 'replace', room, signal).finish();
    }
    if (modified !== undefined && entry.kind === 'file') await times.keep(found.item, found.item.path, entry, modified);
  }
  function setPending(handle: WriterHandle, { size, modified }: Attrs): void {
    if (size !== undefined && size !== handle.writer.size()) throw new SftpError(status.unsupported, 'A size cannot be set.');
    if (modified !== undefined) handle.modified = modified;
  }

  async function extended(id: number, packet: PacketReader): Promise<Buffer> {
    const name = packet.text();
    switch (name) {
      case 'posix-rename@openssh.com':
        await rename(packet.text(), packet.text(), true);
        return answers.status(id, status.ok);
      case 'statvfs@openssh.com':
        return answers.numbers(id, await spaceOf(await target(packet.text()), canWrite, signal));
      case 'fstatvfs@openssh.com': {
        const handle = handleOf(packet);
        if (handle.kind === 'folder') throw new SftpError(status.unsupported, 'The handle is one of a folder.');
        return answers.numbers(id, await spaceOf(handle.target, canWrite, signal));
      }
      case 'fsync@openssh.com': {
        const handle = handleOf(packet);
        // A sync has to store the file, as nothing less is safe; later writes to it are refused.
        if (handle.kind === 'writer') await finish(handle);
        return answers.status(id, status.ok);
      }
      case 'limits@openssh.com':
        return answers.numbers(id, [longestPacket, longestData, longestData, mostHandles]);
      default:
        throw new SftpError(status.unsupported, 'The extension is not known.');
    }
  }

  async function answerTo(kind: number, id: number, packet: PacketReader): Promise<Buffer> {
    const ok = answers.status(id, status.ok);
    switch (kind) {
      case request.open: {
        const [path, flags] = [packet.text(), packet.uint32()];
        if ((flags & openFlag.write) === 0) return answers.handle(id, await openFile(path, flags));
        const key = resolved(path);
        const task = openFile(path, flags).finally(() => opening.delete(key));
        opening.set(key, task);
        return answers.handle(id, await task);
      }
      case request.close: {
        const key = packet.data().toString('latin1');
        const handle = handles.get(key);
        if (handles.delete(key)) room.give('files');
        if (handle?.kind === 'reader') handle.reader.close();
        if (handle?.kind === 'writer') await finish(handle);
        return handle ? ok : answers.status(id, status.failure, 'The handle is not open.');
      }
      case request.read: {
        const handle = handleOf(packet);
        const [at, length] = [packet.uint64(), packet.uint32()];
        if (handle.kind !== 'reader') throw new SftpError(status.failure, 'The file is not open for reading.');
        const bytes = await handle.reader.read(at, Math.min(length, longestData));
        return bytes.byteLength === 0 && length > 0 ? answers.status(id, status.eof, 'The end of the file.') : answers.data(id, bytes);
      }
      case request.write: {
        const handle = handleOf(packet);
        const at = packet.uint64();
        if (handle.kind !== 'writer') throw new SftpError(status.failure, 'The file is not open for writing.');
        await handle.writer.write(at, packet.data());
        return ok;
      }
      case request.stat:
      case request.lstat:
        return answers.attrs(id, attrsOf({ entry: await entryOf(packet.text()), canWrite }));
      case request.fstat: {
        const handle = handleOf(packet);
        if (handle.kind === 'folder') return answers.attrs(id, attrsOf({ entry: { name: '', kind: 'folder' }, canWrite }));
        const size = handle.kind === 'writer' ? handle.writer.size() : undefined;
        const entry: Entry = handle.kind === 'reader' ? handle.reader.entry : { name: '', kind: 'file', size: size ?? 0 };
        return answers.attrs(id, attrsOf({ entry, canWrite }));
      }
      case request.setstat:
        await setAttrs(packet.text(), packet.attrs());
        return ok;
      case request.fsetstat: {
        const handle = handleOf(packet);
        if (handle.kind === 'writer') setPending(handle, packet.attrs());
        return ok;
      }
      case request.opendir:
        return answers.handle(id, await openFolder(packet.text()));
      case request.readdir: {
        const handle = handleOf(packet);
        if (handle.kind !== 'folder') throw new SftpError(status.failure, 'The handle is none of a folder.');
        const entries = await handle.next();
        if (entries.length === 0) return answers.status(id, status.eof, 'The end of the folder.');
        return answers.names(
          id,
          entries.map((entry) => namedAttrs({ entry, canWrite })),
        );
      }
      case request.remove:
        await remove(packet.text(), 'file');
        return ok;
      case request.mkdir:
        mustWrite();
        await change('MKCOL', packet.text());
        return ok;
      case request.rmdir:
        await remove(packet.text(), 'folder');
        return ok;
      case request.realpath: {
        const path = resolved(packet.text());
        return answers.names(id, [{ name: path, line: path, attrs: {} }]);
      }
      case request.rename:
        await rename(packet.text(), packet.text(), false);
        return ok;
      case request.extended:
        return extended(id, packet);
      default:
        throw new SftpError(status.unsupported, 'This is not supported.');
    }
  }

  async function answered(bytes: Buffer): Promise<Buffer> {
    const packet = readPacket(bytes);
    const kind = packet.byte();
    if (kind === request.init) return answers.version();
    const id = packet.uint32();
    try {
      return await answerTo(kind, id, packet);
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) onError(error);
      return answers.status(id, refusal?.code ?? status.failure, refusal?.message ?? 'Something went wrong. Please try again.');
    }
  }

  let drained: Promise<undefined> | undefined;
  async function send(bytes: Buffer): Promise<void> {
    if (channel.destroyed || channel.writableEnded) return;
    if (channel.write(bytes)) return;
    // All answers share one wait for room in the channel.
    drained ??= once(channel, 'drain', { signal }).then(
      () => (drained = undefined),
      () => (drained = undefined),
    );
    await drained;
  }

  const running = new Set<Promise<void>>();
  let bytesRunning = 0;
  try {
    for await (const bytes of packetsOf(channel as AsyncIterable<Buffer>)) {
      const cost = costOf(bytes);
      bytesRunning += cost;
      const task: Promise<void> = answered(bytes)
        .then(send)
        .finally(() => {
          running.delete(task);
          bytesRunning -= cost;
        });
      running.add(task);
      task.catch((error: unknown) => channel.destroy(error instanceof Error ? error : undefined));
      while (running.size >= mostAtOnce.requests || (bytesRunning >= mostAtOnce.bytes && running.size > 0)) await Promise.race(running);
    }
  } finally {
    for (const handle of handles.values()) {
      if (handle.kind === 'reader') handle.reader.close();
      if (handle.kind !== 'writer' || handle.finished) continue;
      if (handle.isNew && !lasting.aborted) interrupted.keep(handle.path, handle.writer);
      else handle.writer.abandon();
    }
    // A file that is being stored may be stored: the client has closed it.
    await Promise.allSettled(running);
    closed.abort();
    room.give('files', handles.size);
    handles.clear();
  }
}
