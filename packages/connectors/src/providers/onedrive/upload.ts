import { Readable } from 'node:stream';
import type { CallOptions, Entry, WriteOptions } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { type BodyReader, createBodyReader } from '../../kit/body/body-reader.ts';
import { type RunningHash, assertSame } from '../../kit/hash/content-hash.ts';
import { parentOf } from '../../kit/names/path.ts';
import type { Graph } from './account/client.ts';
import { retryWhileBusy } from './account/retry-busy.ts';
import { sendInSession } from './account/session.ts';
import { DriveItem, type HashName, readItem } from './api.ts';
import { startHash } from './download.ts';
import { naming } from './errors.ts';
import { type DriveTree, childNamed, folderFor } from './items/items.ts';
import { newNameOf } from './items/names.ts';
import { type Free, type Target, addressOfTarget, driveOfTarget, openSession, putContent } from './items/target.ts';
import { undoWrite } from './items/undo.ts';

/** Maximum bytes of a single request from memory: few enough that a retry costs little. */
const singleLimit = 4 * 1024 * 1024;
/** Bytes of a body of unknown length that are buffered: a session needs the length. A longer body is streamed in one request. */
const unknownLimit = 16 * 1024 * 1024;
/** Maximum bytes of one request: https://learn.microsoft.com/graph/api/driveitem-put-content */
const requestLimit = 250 * 1000 * 1000;

/**
 * SharePoint writes properties into such files when it stores them, so that size and hash differ from what was sent
 * (https://learn.microsoft.com/sharepoint/dev/general-development/document-property-promotion-and-demotion).
 */
const rewritten = /\.(?:docx?|docm|dotx?|dotm|xlsx?|xlsm|xlsb|xltx?|pptx?|pptm|potx|ppsx?|vsdx|html?|aspx|mht|heic|heif)$/i;
export const rewrites = (name: string): boolean => rewritten.test(name);

/** A body that is being sent, and its hash. */
interface Sending {
  readonly ask: WriteOptions;
  readonly reader: BodyReader;
  readonly hash: RunningHash;
}

interface Sent {
  readonly wire: DriveItem;
  readonly target: Target;
  readonly size: number;
  readonly hash: string;
}

/**
 * Stores bodies. A small file is first sent as a new one that must not overwrite; for a large one, the name is looked up before. A file to
 * replace is written by id; a file whose name differs only in case is never replaced.
 */
export function createUpload(graph: Graph, tree: DriveTree) {
  /** The hash algorithm of this account's drives; learnt from their files. */
  let hashName: HashName = 'quickXorHash';

  async function write(path: string, body: Readable, ask: WriteOptions): Promise<Entry> {
    const name = newNameOf(path);
    const folder = await folderFor(tree, path, ask);
    const used = hashName;
    const sending = { ask, reader: createBodyReader(body, ask.signal), hash: askedAgain(startHash(used)) };
    const { wire, target, size, hash } = await deliver(graph, sending, body, { folder, name, conflict: 'fail' });
    const item = readItem(wire, driveOfTarget(target));
    if (!item) throw new ConnectorError('unexpected', 'an upload became something else than a file');
    const replaced = 'file' in target ? target.file : undefined;
    const told = item.facts.hash;
    if (told) hashName = told.name;
    try {
      if (!rewrites(name)) confirm(item.entry.size, size, hash, told?.name === used ? told.value : undefined);
    } catch (error) {
      await undoWrite(graph, item, replaced);
      throw error;
    }
    return tree.learnt(path, replaced ? { ...item, id: replaced.id, facts: { ...item.facts, self: replaced.facts.self } } : item);
  }

  return async (path: string, body: Readable, ask: WriteOptions): Promise<Entry> => {
    try {
      return await write(path, body, ask);
    } catch (error) {
      tree.forget(isKind(error, 'notFound') ? parentOf(path) : path);
      throw error;
    } finally {
      body.destroy();
    }
  };
}

/** Wraps a hash so that its digest can be read repeatedly. */
function askedAgain(hash: RunningHash): RunningHash {
  let told: string | undefined;
  return { update: (chunk) => hash.update(chunk), digest: () => (told ??= hash.digest()) };
}

function confirm(stored: number | undefined, size: number, sent: string, told: string | undefined): void {
  if (stored !== size) throw new ConnectorError('damaged', `the service has ${stored} of ${size} bytes`);
  assertSame(sent, told);
}

async function deliver(graph: Graph, sending: Sending, body: Readable, free: Free): Promise<Sent> {
  const { ask, reader, hash } = sending;
  const { size, modified } = ask;
  // A session can set the modification time together with the bytes, but does not accept an empty file.
  if (size !== undefined && (size > singleLimit || (size > 0 && modified !== undefined)))
    return inSession(graph, sending, body, size, free);

  const most = size ?? unknownLimit;
  const bytes = await reader.take(most + 1);
  const length = bytes.byteLength;
  if (size !== undefined && length !== size) throw new ConnectorError('sizeDiffers', `not ${size} bytes came, but ${length}`);
  if (length > most) return inOneStream(graph, sending, bytes, free);
  if (length > 0 && (modified !== undefined || length > singleLimit)) {
    const again = Readable.from([bytes]);
    return inSession(graph, { ...sending, reader: createBodyReader(again, ask.signal) }, again, length, free);
  }
  hash.update(bytes);
  const [wire, target] = await sendSmall(graph, bytes, free, ask);
  return { wire, target, size: length, hash: hash.digest() };
}

/** Returns the destination of a write that may overwrite: the existing file, or the name while it is free. */
export async function replacing(graph: Graph, { folder, name }: Omit<Free, 'conflict'>, ask: CallOptions): Promise<Target> {
  const file = await retryWhileBusy(ask.signal, () => childNamed(graph, folder, name, ask));
  if (!file) return { folder, name, conflict: 'replace' };
  if (file.kind === 'folder') throw new ConnectorError('isAFolder', 'a folder has that name');
  if (file.name !== name) throw new ConnectorError('alreadyExists', 'a file has that name in other letters');
  return { file };
}

/** Sends a body that can be sent twice: as a new file first, which is the common case. */
async function sendSmall(graph: Graph, bytes: Uint8Array, free: Free, ask: WriteOptions): Promise<[DriveItem, Target]> {
  const put = (target: Target) => retryWhileBusy(ask.signal, () => putContent(graph, target, bytes, ask));
  try {
    return [await naming(put(free)), free];
  } catch (error) {
    if (!isKind(error, 'alreadyExists') || ask.ifExists === 'fail') throw error;
    const target = await replacing(graph, free, ask);
    return [await put(target), target];
  }
}

async function inSession(graph: Graph, { ask, reader, hash }: Sending, body: Readable, size: number, free: Free): Promise<Sent> {
  const target = ask.ifExists === 'replace' ? await replacing(graph, free, ask) : free;
  const wire = await sendInSession(graph, {
    body,
    reader,
    size,
    signal: ask.signal,
    onPiece: (piece) => hash.update(piece),
    open: async () => (await naming(retryWhileBusy(ask.signal, () => openSession(graph, target, ask)))).url,
    async arrived() {
      try {
        const there = await graph.json(DriveItem, { method: 'GET', url: addressOfTarget(target), signal: ask.signal });
        const told = there.file?.hashes;
        return there.size === size && Object.values(told ?? {}).includes(hash.digest()) ? there : undefined;
      } catch (error) {
        if (isKind(error, 'notFound')) return undefined;
        throw error;
      }
    },
  });
  return { wire, target, size, hash: hash.digest() };
}

/** Streams a body of unknown length. */
async function inOneStream(graph: Graph, { ask, reader, hash }: Sending, first: Uint8Array, free: Free): Promise<Sent> {
  const target = ask.ifExists === 'replace' ? await replacing(graph, free, ask) : free;
  let size = 0;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let piece = first; piece.byteLength > 0; piece = await reader.next(requestLimit)) {
      size += piece.byteLength;
      if (size > requestLimit) throw new ConnectorError('unsupported', 'the size of so large a file must be known beforehand');
      hash.update(piece);
      yield piece;
    }
  }
  const wire = await naming(putContent(graph, target, Readable.from(pieces(), { objectMode: false }), ask));
  return { wire, target, size, hash: hash.digest() };
}
