import type { Readable } from 'node:stream';
import type { CallOptions, Connector, Entry, WriteOptions } from '../../core/connector.ts';
import type { Env } from '../../core/definition.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { StorageLimits } from '../../core/storage-limits.ts';
import { partOf, rangeHeader } from '../../kit/http/part-of.ts';
import { joinPath, nameOf, parentOf } from '../../kit/names/path.ts';
import { fitsForm, multipartForm } from '../../kit/rest/multipart-form.ts';
import { Node, Objects, User, isFile, toEntry } from './api.ts';
import { createCopyClient } from './client.ts';
import type { CopyConfig } from './config.ts';

/** Opens the files of an account of Copy's protocol. Items are addressed by path; a listing returns the whole folder. */
export function openCopy(config: CopyConfig, env: Env): Connector {
  const client = createCopyClient(config, env);

  const nodeAt = (path: string, { signal }: CallOptions): Promise<Node> =>
    client.json(Node, { method: 'GET', place: 'meta/copy', path, signal });

  async function nodeIfThere(path: string, ask: CallOptions): Promise<Node | undefined> {
    try {
      return await nodeAt(path, ask);
    } catch (error) {
      if (isKind(error, 'notFound')) return undefined;
      throw error;
    }
  }

  async function folderAt(path: string, ask: CallOptions): Promise<Node> {
    const node = await nodeAt(path, ask);
    if (isFile(node)) throw new ConnectorError('notAFolder', 'the item is a file');
    return node;
  }

  /** Rejects unless the name is valid and free, and its folder exists. */
  async function mustBeFree(path: string, ask: CallOptions): Promise<void> {
    checkName(path);
    await folderAt(parentOf(path), ask);
    if (await nodeIfThere(path, ask)) throw new ConnectorError('alreadyExists', 'the name is taken');
  }

  async function write(path: string, body: Readable, ask: WriteOptions): Promise<Entry> {
    const { ifExists, signal, size, mimeType } = ask;
    try {
      checkName(path);
      await folderAt(parentOf(path), ask);
      const there = await nodeIfThere(path, ask);
      if (there && ifExists === 'fail') throw new ConnectorError('alreadyExists', 'the name is taken');
      if (there && !isFile(there)) throw new ConnectorError('isAFolder', 'a folder has this name');
      const facts = { ...(size !== undefined && { size }), ...(mimeType !== undefined && { type: mimeType }) };
      const form = multipartForm({}, { field: 'file', name: nameOf(path), body, ...facts });
      const query = { overwrite: String(ifExists === 'replace') };
      const { objects } = await client.json(Objects, { method: 'POST', place: 'files', path: parentOf(path), query, ...form, signal });
      const [stored] = objects;
      if (!stored) throw new ConnectorError('unexpected', 'an upload that made nothing');
      return toEntry(stored, nameOf(path));
    } finally {
      body.destroy();
    }
  }

  async function relocate(from: string, to: string, ask: CallOptions): Promise<Entry> {
    if (from === '/' || to.startsWith(joinPath(from, ''))) throw new ConnectorError('unsupported', 'a folder cannot go into itself');
    await nodeAt(from, ask);
    await mustBeFree(to, ask);
    const query = { ...(parentOf(from) === parentOf(to) ? { name: nameOf(to) } : { path: to }), overwrite: 'false' };
    const moved = await client.json(Node, { method: 'PUT', place: 'files', path: from, query, signal: ask.signal });
    return toEntry(moved, nameOf(to));
  }

  return {
    limits,
    async *list(folder, ask) {
      const { children = [] } = await folderAt(folder, ask);
      if (children.length > 0) yield children.map((child) => toEntry(child));
    },
    async stat(path, ask) {
      return toEntry(await nodeAt(path, ask), nameOf(path));
    },
    async read(file, { range, signal }) {
      const node = await nodeAt(file, { signal });
      if (!isFile(node)) throw new ConnectorError('isAFolder', 'the item is a folder');
      const headers = { accept: '*/*', ...rangeHeader(range) };
      const response = await client.send({ method: 'GET', place: 'files', path: file, headers, signal, accepts: [416] });
      const { name: _, kind: __, ...entry } = toEntry(node);
      return partOf(response, range, entry);
    },
    write,
    async createFolder(path, ask) {
      await mustBeFree(path, ask);
      await (await client.send({ method: 'POST', place: 'files', path, query: { overwrite: 'false' }, signal: ask.signal })).discard();
      return { name: nameOf(path), kind: 'folder' };
    },
    rename: (path, newName, ask) => relocate(path, joinPath(parentOf(path), newName), ask),
    move: relocate,
    async remove(path, ask) {
      if (path === '/') throw new ConnectorError('unsupported', 'the root cannot be deleted');
      await nodeAt(path, ask);
      await (await client.send({ method: 'DELETE', place: 'files', path, signal: ask.signal })).discard();
    },
    async usage({ signal }) {
      const { used, quota } = (await client.json(User, { method: 'GET', place: 'user', signal })).storage;
      return { used, ...(quota !== undefined && { total: quota }) };
    },
    close: async () => client.close(),
  };
}

/** Uploads send the file name in a form: refuses names that could not be uploaded. */
function checkName(path: string): void {
  if (!fitsForm(nameOf(path))) throw new ConnectorError('badName', 'the name does not come through a form');
}

/** Uploads send the file name in a form. */
const limits: StorageLimits = { names: { forbidden: /[\\\p{Cc}]/gu } };
