import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '../refusal.ts';
import { type Segments, parsePath } from '../wire-path.ts';
import { written } from '../written.ts';
import type { Exported } from './exported.ts';
import type { HeldFolder } from './held-folder.ts';
import { createSmallFileThreads } from './small-file-threads.ts';

/** A file and its expected size in bytes. */
interface Wanted {
  readonly path: Segments;
  readonly size: number;
}

/** Limits of one request, documented in docs/gateway/protocol.md: number of files, and bytes of each. */
const mostFiles = 256;
const largestFile = 1024 * 1024;
/** Most bytes of a request. */
const requestLimit = 2 * 1024 * 1024;
/** Bytes read at once and sent in one piece, while the next piece is read. */
const pieceSize = 1024 * 1024;

/** Pieces of memory kept for the next request. */
const mostSpares = 8;
const spares: ArrayBuffer[] = [];
const threads = createSmallFileThreads();

/**
 * Sends the bytes of small files one after the other, in the requested order. Rejects with `unsupported` when they are too many or too large. A file
 * that cannot be read, or has another size, fails the request before the first byte and ends the connection after it.
 */
export async function sendFiles(exported: Exported, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const files = parseWanted(await textOf(request));
  await using folders = createFolders(exported);
  let writing: Promise<ArrayBuffer> | undefined;
  let spare: ArrayBuffer | undefined;
  for (const piece of piecesOf(files)) {
    if (response.destroyed) break;
    const memory = await filled(piece, { exported, folders, memory: spare ?? spares.pop() ?? new ArrayBuffer(pieceSize) });
    spare = await writing;
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytesOf(files) });
    writing = written(response, new Uint8Array(memory, 0, bytesOf(piece))).then(() => memory);
  }
  for (const memory of [spare, await writing]) if (memory && spares.length < mostSpares) spares.push(memory);
  response.end();
}

interface Filling {
  readonly exported: Exported;
  readonly folders: Folders;
  readonly memory: ArrayBuffer;
}

/** A buffer that begins with the bytes of these files. */
async function filled(piece: readonly Wanted[], { exported, folders, memory: given }: Filling): Promise<ArrayBuffer> {
  const placed = piece.map(async ({ path, size }) => {
    const folder = await folders.hold(path.slice(0, -1));
    return { path: folder.at(nameIn(path)).toString('latin1'), size };
  });
  const { memory, isWhole } = await threads.read({ files: await Promise.all(placed), memory: given });
  if (!isWhole) await readEach(exported, piece, new Uint8Array(memory));
  return memory;
}

function nameIn(path: Segments): Buffer {
  const name = path.at(-1);
  if (!name) throw new Refusal('isAFolder', 'this is a folder');
  return name;
}

/** Reads files that a thread could not: links within the export, and files with a problem. */
async function readEach(exported: Exported, piece: readonly Wanted[], memory: Uint8Array): Promise<void> {
  let at = 0;
  for (const { path, size } of piece) await readInto(memory.subarray(at, (at += size)), exported, path);
}

async function readInto(room: Uint8Array, exported: Exported, path: Segments): Promise<void> {
  const { handle, stats } = await exported.openFile(path);
  try {
    if (stats.size !== room.length) throw new Refusal('sizeDiffers', `a file has ${stats.size} instead of ${room.length} bytes`);
    for (let done = 0; done < room.length;) {
      const { bytesRead } = await handle.read(room, done, room.length - done, done);
      if (bytesRead === 0) throw new Refusal('sizeDiffers', 'a file became shorter');
      done += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

const bytesOf = (files: readonly Wanted[]): number => files.reduce((sum, { size }) => sum + size, 0);

/** Each line has a size and a path. */
function parseWanted(text: string): readonly Wanted[] {
  const lines = text.split('\n').filter((line) => line !== '');
  if (lines.length === 0 || lines.length > mostFiles) throw new Refusal('unsupported', `a request is for 1 to ${mostFiles} files`);
  return lines.map((line) => {
    const [, digits = '', path = ''] = /^(\d{1,15}) (\S+)$/.exec(line) ?? [];
    const size = Number(digits);
    if (digits === '') throw new Refusal('badName', 'a line has a size, a space and a path');
    if (size > largestFile) throw new Refusal('unsupported', `files of more than ${largestFile} bytes are asked for one by one`);
    return { path: parsePath(path), size };
  });
}

/** Files read together. */
function piecesOf(files: readonly Wanted[]): readonly (readonly Wanted[])[] {
  const pieces: Wanted[][] = [];
  let room = 0;
  for (const file of files) {
    if (pieces.length === 0 || file.size > room) {
      pieces.push([]);
      room = pieceSize;
    }
    pieces.at(-1)?.push(file);
    room -= file.size;
  }
  return pieces;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > requestLimit) throw new Refusal('unsupported', 'the request is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('latin1');
}

type Folders = ReturnType<typeof createFolders>;

/** Folders are opened once, however many of their files are read. */
function createFolders(exported: Exported) {
  const held = new Map<string, Promise<HeldFolder>>();
  return {
    hold(folder: Segments): Promise<HeldFolder> {
      const key = folder.map((name) => name.toString('latin1')).join('/');
      const found = held.get(key) ?? exported.hold(folder);
      held.set(key, found);
      return found;
    },
    async [Symbol.asyncDispose]() {
      for (const folder of await Promise.allSettled(held.values()))
        if (folder.status === 'fulfilled') await folder.value[Symbol.asyncDispose]();
    },
  };
}
