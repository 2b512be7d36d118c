import { mkdir } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isTaken } from './changing/put-in-place.ts';
import { copyItem, moveItem } from './changing/relocate.ts';
import { removeTree } from './changing/removal.ts';
import { abandonUpload, beginUpload, finishUpload, receivePart, uploadState } from './changing/resumable.ts';
import { receiveFile } from './changing/upload.ts';
import { sendFile } from './download.ts';
import type { Exported } from './listing/exported.ts';
import { listFolder } from './listing/listing.ts';
import { sendFiles } from './listing/many-files.ts';
import { Refusal, refusalOf } from './refusal.ts';
import { parseBytes, parseUploadId, parseWirePath } from './wire-path.ts';

/** A request of an authenticated client. */
export interface CallContext {
  readonly exported: Exported;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The raw query, still encoded. */
  readonly query: string;
  readonly capabilities: readonly string[];
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Sends `100 Continue` to a client that waits for it. */
  readonly onWanted: () => void;
}

interface Call {
  /** Name of the capability in `info`; absent: always available. */
  readonly capability?: string;
  readonly run: (ask: CallContext) => Promise<void>;
}

export const protocolVersion = 1;

/** Every call of the protocol, in the order of docs/gateway/protocol.md. */
export const calls: Readonly<Record<string, Call>> = {
  'GET /sheaf/v1/info': {
    run: async ({ response, capabilities }) =>
      sendJson(response, 200, { protocol: protocolVersion, name: 'Sheaf file server', capabilities }),
  },
  'GET /sheaf/v1/entries': { capability: 'list', run: sendListing },
  'GET /sheaf/v1/entry': {
    capability: 'stat',
    run: async ({ exported, response, query }) => sendJson(response, 200, await exported.stat(parseWirePath(query, 'path'))),
  },
  'GET /sheaf/v1/content': {
    capability: 'read',
    run: ({ exported, request, response, query }) => sendFile(exported, parseWirePath(query, 'path'), request, response),
  },
  'POST /sheaf/v1/contents': {
    capability: 'readMany',
    run: ({ exported, request, response }) => sendFiles(exported, request, response),
  },
  'PUT /sheaf/v1/content': {
    capability: 'write',
    async run({ exported, request, response, query, onWanted, signal }) {
      sendJson(response, 201, await receiveFile(exported, parseWirePath(query, 'path'), { request, onWanted, signal }));
    },
  },
  'POST /sheaf/v1/folder': { capability: 'createFolder', run: makeFolder },
  'POST /sheaf/v1/move': {
    capability: 'move',
    run: async (ask) => sendJson(ask.response, 201, await moveItem(ask.exported, relocationOf(ask))),
  },
  'POST /sheaf/v1/copy': {
    capability: 'copy',
    run: async (ask) => sendJson(ask.response, 201, await copyItem(ask.exported, relocationOf(ask))),
  },
  'DELETE /sheaf/v1/entry': { capability: 'remove', run: removeItem },
  'POST /sheaf/v1/upload': {
    capability: 'beginUpload',
    run: async ({ exported, request, response, query }) =>
      sendJson(response, 201, await beginUpload(exported, parseWirePath(query, 'path'), request)),
  },
  'PUT /sheaf/v1/part': {
    capability: 'sendPart',
    async run({ exported, request, response, query, onWanted }) {
      sendJson(response, 200, await receivePart(exported, { ...uploadOf(query), offset: parseBytes(query, 'offset'), request, onWanted }));
    },
  },
  'GET /sheaf/v1/upload': {
    capability: 'uploadState',
    run: async ({ exported, response, query }) => sendJson(response, 200, await uploadState(exported, uploadOf(query))),
  },
  'POST /sheaf/v1/finish': {
    capability: 'finishUpload',
    async run({ exported, request, response, query, signal }) {
      sendJson(response, 201, await finishUpload(exported, { ...uploadOf(query), size: parseBytes(query, 'size'), request, signal }));
    },
  },
  'DELETE /sheaf/v1/upload': {
    capability: 'abandonUpload',
    async run({ exported, response, query }) {
      await abandonUpload(exported, uploadOf(query));
      response.writeHead(204).end();
    },
  },
};

/** Capabilities that are no calls: `hash` is a header. */
const further: readonly string[] = ['hash'];

/** Capabilities for reading. */
const reading: readonly string[] = ['list', 'stat', 'read', 'readMany'];

export const capabilitiesOf = ({ readOnly }: { readonly readOnly: boolean }): readonly string[] =>
  [...Object.values(calls).flatMap(({ capability }) => capability ?? []), ...further].filter(
    (capability) => !readOnly || reading.includes(capability),
  );

const uploadOf = (query: string) => ({ path: parseWirePath(query, 'path'), upload: parseUploadId(query) });

const relocationOf = ({ query, signal }: CallContext) => ({ from: parseWirePath(query, 'path'), to: parseWirePath(query, 'to'), signal });

export function sendJson(response: ServerResponse, status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): void {
  const body = JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers }).end(body);
}

/** One entry per line, in the disk's order; the last line says that the listing is complete, or why it is not. */
async function sendListing({ exported, response, query, signal }: CallContext): Promise<void> {
  const batches = listFolder(exported, parseWirePath(query, 'path'));
  // Before the first entry, an error is sent as the status.
  let next = await batches.next();
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  try {
    for (; !next.done; next = await batches.next()) {
      if (signal.aborted) return;
      await send(response, next.value.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    }
    response.end('{"end":true}\n');
  } catch (error) {
    const { code, message } = refusalOf(error);
    response.end(`${JSON.stringify({ error: { code, message } })}\n`);
  } finally {
    await batches.return(undefined);
  }
}

/** Resolves when there is room for more, or the client has disconnected. */
function send(response: ServerResponse, text: string): Promise<void> {
  if (response.destroyed || response.write(text)) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => {
    response.off('drain', done).off('close', done);
    resolve();
  };
  response.on('drain', done).on('close', done);
  return promise;
}

async function makeFolder({ exported, response, query }: CallContext): Promise<void> {
  const path = parseWirePath(query, 'path');
  await using place = await exported.place(path);
  if (await isTaken(place)) throw new Refusal('alreadyExists', 'the name is taken');
  await mkdir(place.path);
  await place.folder.sync();
  sendJson(response, 201, await exported.stat(path));
}

async function removeItem({ exported, response, query, signal }: CallContext): Promise<void> {
  await using place = await exported.place(parseWirePath(query, 'path'));
  await removeTree(place.path, signal);
  await place.folder.sync();
  response.writeHead(204).end();
}
