/**
 * Answers requests below /vault-stream/ with the clear bytes of files of open vaults: for downloads of any size, and for media with seeking. It holds
 * no key and stores nothing: the page that asks has a worker that decrypts, and is asked for each piece.
 */
interface Fetching extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface Waiting extends Event {
  waitUntil(until: Promise<unknown>): void;
}
interface Installing extends Waiting {
  /** Chromium 123 and later. */
  addRoutes?(routes: object): Promise<void>;
}
interface Client {
  postMessage(message: unknown, transfer: Transferable[]): void;
}
interface Scope extends EventTarget {
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void>; matchAll(options: { type: 'window' }): Promise<readonly Client[]> };
}
type Piece = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly end: true } | { readonly failure: string };
interface Head {
  readonly size: number;
  readonly mimeType: string;
  readonly name: string;
}

const scope = globalThis as unknown as Scope;
const prefix = '/vault-stream/';

scope.addEventListener('install', (event) => {
  const installing = event as Installing;
  // All other requests go past the service worker, which would only slow them down.
  const routed = installing.addRoutes?.({ condition: { not: { urlPattern: `${prefix}*` } }, source: 'network' });
  installing.waitUntil(Promise.all([routed, scope.skipWaiting()]));
});
scope.addEventListener('activate', (event) => (event as Waiting).waitUntil(scope.clients.claim()));
// Hearing anything keeps it alive while a page streams.
scope.addEventListener('message', () => undefined);
scope.addEventListener('fetch', (event) => {
  const { request } = event as Fetching;
  const url = new URL(request.url);
  if (url.origin !== location.origin || !url.pathname.startsWith(prefix)) return;
  (event as Fetching).respondWith(answer(request, url));
});

async function answer(request: Request, url: URL): Promise<Response> {
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get('range') ?? '');
  const start = Number(range?.[1] ?? 0);
  const end = range?.[2] === undefined || range[2] === '' ? null : Number(range[2]) + 1;
  const token = url.pathname.slice(prefix.length);
  for (const client of await scope.clients.matchAll({ type: 'window' })) {
    const { port1, port2 } = new MessageChannel();
    client.postMessage({ token, start, end }, [port2]);
    const head = await messageOf<Head | { missing: true }>(port1);
    if (!('missing' in head))
      return respond(head, port1, { start, end: Math.min(end ?? head.size, head.size), isRange: range !== null, url });
  }
  return new Response('The vault is locked.', { status: 404 });
}

/** A page that does not answer, perhaps one that is being closed, counts as one without the file. */
const messageOf = <T>(port: MessagePort): Promise<T | { missing: true }> =>
  new Promise((resolve) => {
    port.onmessage = ({ data }: MessageEvent<T>) => resolve(data);
    setTimeout(() => resolve({ missing: true }), 10_000);
  });

function respond(
  { size, mimeType, name }: Head,
  port: MessagePort,
  { start, end, isRange, url }: { start: number; end: number; isRange: boolean; url: URL },
): Response {
  if (isRange && start >= size) return new Response(null, { status: 416, headers: { 'content-range': `bytes */${size}` } });
  // The browser asks for a piece once it has copied the last one, whose buffer then goes back to be filled again.
  let room: ArrayBuffer | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const piece = await new Promise<Piece>((resolve) => {
          port.onmessage = ({ data }: MessageEvent<Piece>) => resolve(data);
          port.postMessage({ room }, room ? [room] : []);
        });
        room = 'bytes' in piece ? piece.bytes.buffer : undefined;
        if ('failure' in piece) controller.error(new Error(piece.failure));
        else if ('end' in piece) controller.close();
        else controller.enqueue(piece.bytes);
      },
      cancel: () => port.postMessage('cancel'),
    },
    { highWaterMark: 0 },
  );
  const isDownload = url.search === '?download';
  return new Response(body, {
    status: isRange ? 206 : 200,
    headers: {
      'content-type': isDownload ? 'application/octet-stream' : mimeType,
      'content-length': String(end - start),
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...(!isDownload && { 'content-security-policy': "sandbox; default-src 'none'" }),
      ...(isRange && { 'content-range': `bytes ${start}-${end - 1}/${size}` }),
      ...(isDownload && { 'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}` }),
    },
  });
}
