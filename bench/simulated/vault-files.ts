/**
 * A process of its own with a WebDAV server whose folder `Vault` is a vault of two files: a recording and one of zeros, of the sizes that the arguments
 * say. They are encrypted as they are sent, and what is uploaded is counted and thrown away, so that gigabytes cost neither disk nor memory. Tells its
 * parent the port.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { blockSize, headerSize, openVault, sealedBlockSize, sealedSize, usualNames } from '@sheaf/vault';

const [password = '', recordingSize = '0', zerosSize = '0'] = process.argv.slice(2);
const vault = await openVault({ password, password2: '' }, usualNames);
/** Blocks that are encrypted at once, and the largest upload that is kept: a manifest, but no file. */
const atOnce = 4;
const mostKept = 1024 * 1024;

interface Made {
  readonly size: number;
  readonly nonce: Uint8Array;
  /** What the clear file begins with; zeros follow. */
  readonly head: Uint8Array;
}
interface Uploaded {
  readonly size: number;
  readonly bytes: Buffer | undefined;
}

/** Head of a recording of two channels, 16 bits, at 48 kHz (RIFF WAVE). */
function recordingHead(size: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF\0\0\0\0WAVEfmt ', 'latin1');
  head.writeUInt32LE(size - 8, 4);
  [16, 0x20001, 48_000, 192_000, 0x100004].forEach((value, index) => head.writeUInt32LE(value, 16 + index * 4));
  head.write('data', 36);
  head.writeUInt32LE(size - 44, 40);
  return head;
}

const made = new Map<string, Made>();
const uploaded = new Map<string, Uploaded>();
for (const [name, size, head] of [
  ['recording.wav', Number(recordingSize), recordingHead(Number(recordingSize))],
  ['zeros.bin', Number(zerosSize), Buffer.alloc(0)],
] as const)
  made.set(`/Vault/${vault.names.encryptFile(name)}`, { size, nonce: vault.newNonce(), head });

/** Encrypted bytes from `start` to `end`, exclusive. */
async function* sealed({ size, nonce, head }: Made, start: number, end: number): AsyncGenerator<Uint8Array> {
  if (start < headerSize) yield vault.files.header(nonce).subarray(start, Math.min(end, headerSize));
  const zeros = new Uint8Array(blockSize * atOnce);
  for (let block = Math.max(0, Math.floor((start - headerSize) / sealedBlockSize)); ; block += atOnce) {
    const at = headerSize + block * sealedBlockSize;
    if (at >= end) return;
    const length = Math.min(zeros.length, size - block * blockSize);
    const clear = block === 0 ? Uint8Array.from({ length }, (_, index) => head[index] ?? 0) : zeros.subarray(0, length);
    yield vault.files.sealBlocks(nonce, block, clear).subarray(Math.max(0, start - at), Math.max(0, end - at));
  }
}

const response = (href: string, properties: string): string =>
  `<D:response><D:href>${href}</D:href><D:propstat><D:prop>${properties}<D:getlastmodified>Mon, 12 Jan 2026 09:00:00 GMT</D:getlastmodified></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>\n`;
const folderRow = (href: string): string => response(href, '<D:resourcetype><D:collection/></D:resourcetype>');
const sizeOf = (path: string): number | undefined => {
  const file = made.get(path);
  return file ? sealedSize(file.size) : uploaded.get(path)?.size;
};
const fileRow = (path: string): string => response(path, `<D:resourcetype/><D:getcontentlength>${sizeOf(path) ?? 0}</D:getcontentlength>`);

function rowsOf(path: string, isDeep: boolean): string | undefined {
  if (path === '') return folderRow('/') + (isDeep ? folderRow('/Vault/') : '');
  if (path === '/Vault') return folderRow('/Vault/') + (isDeep ? [...made.keys(), ...uploaded.keys()].map(fileRow).join('') : '');
  return sizeOf(path) === undefined ? undefined : fileRow(path);
}

const server = createServer((request, answer) => {
  const path = (request.url ?? '/').replace(/\/$/, '');
  const file = made.get(path);
  const kept = uploaded.get(path);
  const size = sizeOf(path);
  const end = (status: number): void => void answer.writeHead(status, { 'content-length': 0 }).end();
  const { method = '' } = request;
  switch (method) {
    case 'OPTIONS':
      return void answer.writeHead(200, { dav: '1', allow: 'OPTIONS, PROPFIND, GET, PUT, MOVE, DELETE', 'content-length': 0 }).end();
    case 'PROPFIND': {
      request.resume();
      const rows = rowsOf(path, request.headers.depth !== '0');
      if (rows === undefined) return end(404);
      answer.writeHead(207, { 'content-type': 'application/xml; charset=utf-8' });
      return void answer.end(`<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus xmlns:D="DAV:">\n${rows}</D:multistatus>\n`);
    }
    case 'HEAD':
    case 'GET': {
      if (size === undefined) return end(404);
      const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
      const from = Number(range?.[1] ?? 0);
      const until = range?.[2] === undefined || range[2] === '' ? size : Math.min(size, Number(range[2]) + 1);
      answer.writeHead(range ? 206 : 200, {
        'content-length': until - from,
        ...(range && { 'content-range': `bytes ${from}-${until - 1}/${size}` }),
      });
      if (method === 'HEAD') return void answer.end();
      const body = file ? sealed(file, from, until) : [kept?.bytes?.subarray(from, until) ?? Buffer.alloc(0)];
      // A reader that has enough closes its connection.
      return void pipeline(Readable.from(body), answer).catch(() => undefined);
    }
    case 'PUT': {
      const parts: Buffer[] = [];
      let count = 0;
      request.on('data', (part: Buffer) => {
        count += part.length;
        if (count <= mostKept) parts.push(part);
        else parts.length = 0;
      });
      return void request.on('end', () => {
        uploaded.set(path, { size: count, bytes: count <= mostKept ? Buffer.concat(parts) : undefined });
        end(201);
      });
    }
    case 'MOVE': {
      const to = new URL(request.headers.destination?.toString() ?? '', 'http://localhost').pathname;
      if (!kept) return end(404);
      uploaded.delete(path);
      uploaded.set(to, kept);
      return end(201);
    }
    case 'DELETE':
      return end(uploaded.delete(path) ? 204 : 404);
    default:
      request.resume();
      return end(405);
  }
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
