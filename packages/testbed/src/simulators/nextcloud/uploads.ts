import { chown, rename, stat, utimes, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { nobody } from '../../servers/dav-server.ts';

interface Options {
  /** Paths of the user's files and uploads. */
  readonly files: string;
  readonly uploads: string;
  readonly onDisk: (url: string) => string;
}

/** Chunks but the last have at least this many bytes. */
const leastChunk = 5 * 1024 * 1024;

/** The folders of chunks below `/remote.php/dav/uploads`, as Nextcloud's chunking of version 2 has them. */
export function createUploads({ files, uploads, onDisk }: Options) {
  const folders = new Map<string, Map<number, Buffer>>();

  return {
    async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const [folder = '', name = ''] = (request.url ?? '').slice(uploads.length).split('/');
      const chunks = folders.get(folder);
      const end = (status: number, headers: Readonly<Record<string, string>> = {}, body = ''): void => {
        request.resume();
        response.writeHead(status, headers).end(body);
      };
      const { destination } = request.headers;
      const leads = typeof destination === 'string' && new URL(destination, 'http://any').pathname.startsWith(`${files}/`);
      if (request.method === 'MKCOL') {
        if (!leads) return end(400);
        if (chunks) return end(405);
        folders.set(folder, new Map());
        return end(201);
      }
      // Files cannot be made in a folder that is not there.
      if (!chunks) return end(request.method === 'PUT' ? 409 : 404);
      if (request.method === 'DELETE') {
        folders.delete(folder);
        return end(204);
      }
      if (request.method === 'PROPFIND') return end(207, { 'content-type': 'application/xml' }, listing(uploads + folder, chunks));
      if (request.method === 'PUT') {
        const number = /^\d+$/.test(name) ? Number(name) : 0;
        if (!leads || number < 1 || number > 10_000) return end(400);
        const bytes = await buffer(request);
        if (bytes.length !== Number(request.headers['content-length'])) return end(400);
        chunks.set(number, bytes);
        return end(201);
      }
      if (request.method !== 'MOVE' || name !== '.file') return end(405);
      if (!leads) return end(400);
      return end(await assembled(chunks, onDisk(new URL(destination, 'http://any').pathname), request, () => folders.delete(folder)));
    },
  };
}

/** Makes the file; returns the status. */
async function assembled(
  chunks: ReadonlyMap<number, Buffer>,
  file: string,
  { headers }: IncomingMessage,
  done: () => void,
): Promise<number> {
  const ordered = [...chunks].sort(([one], [other]) => one - other).map(([, bytes]) => bytes);
  const bytes = Buffer.concat(ordered);
  const there = await unlessMissing(file);
  if (there && headers['overwrite'] === 'F') return 412;
  if (!(await unlessMissing(dirname(file)))) return 409;
  if (headers['oc-total-length'] !== undefined && headers['oc-total-length'] !== String(bytes.length)) return 400;
  if (ordered.slice(0, -1).some(({ length }) => length < leastChunk)) return 400;
  const beside = join(dirname(dirname(file)), `.assembling-${crypto.randomUUID()}`);
  await writeFile(beside, bytes);
  await chown(beside, nobody.uid, nobody.gid);
  const modified = Number(headers['x-oc-mtime']);
  if (Number.isFinite(modified)) await utimes(beside, modified, modified);
  await rename(beside, file);
  done();
  return there ? 204 : 201;
}

async function unlessMissing(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}

function listing(folder: string, chunks: ReadonlyMap<number, Buffer>): string {
  const described = (href: string, props: string) =>
    `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
  const file = (name: string, size: number) =>
    described(`${folder}/${name}`, `<d:resourcetype/><d:getcontentlength>${size}</d:getcontentlength>`);
  const total = [...chunks.values()].reduce((sum, { length }) => sum + length, 0);
  const all = [
    described(`${folder}/`, '<d:resourcetype><d:collection/></d:resourcetype>'),
    ...[...chunks].map(([number, { length }]) => file(String(number).padStart(5, '0'), length)),
    file('.file', total),
  ];
  return `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:">${all.join('')}</d:multistatus>`;
}
