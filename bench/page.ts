import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProcess, tempDir } from '@sheaf/testbed';
import { browserProgram } from '../scripts/debian-packages.ts';
import type { User } from './sheaf.ts';

/** A page of a Chromium of its own. */
export interface Page {
  /** The browser's process. */
  readonly pid: number;
  open(address: string): Promise<void>;
  /**
   * Bytes in the heaps of the page, its workers and the service workers: objects of V8 and of the browser's own heap that live or were not collected yet,
   * and the memory of buffers.
   */
  heap(): Promise<number>;
  /** Collects the garbage in all of these heaps. */
  collectGarbage(): Promise<void>;
  /** Runs this JavaScript expression in the page and gives its value, which JSON can hold. */
  evaluate(expression: string): Promise<unknown>;
  /** Presses what matches the CSS selector and has this accessible name, once it is there. */
  press(css: string, name: string): Promise<void>;
  /** Waits until something matches the CSS selector and has this accessible name. */
  see(css: string, name: string): Promise<void>;
  write(text: string): Promise<void>;
  choose(css: string, path: string): Promise<void>;
  /** Does what begins a download, and waits until the file is saved. Gives its path. */
  saved(begin: () => Promise<void>): Promise<string>;
  stop(): Promise<void>;
}

interface HeapUsage {
  readonly usedSize?: number;
  readonly embedderHeapUsedSize?: number;
  readonly backingStorageSize?: number;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly sessionId?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

/** Milliseconds between two looks at the page. */
const lookEvery = 20;

/**
 * Opens a page of a signed-in user of the server at `url` that nothing observes. Playwright would have the browser report each request with its body, which takes seconds of CPU and keeps the bodies
 * in memory, so that neither could be measured.
 */
export async function openPage(url: string, { headers }: Pick<User, 'headers'>): Promise<Page> {
  const [profile, saves] = await Promise.all([tempDir('bench-browser'), tempDir('bench-saved')]);
  const browser = await startProcess({
    command: browserProgram(),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--window-size=1280,860',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile.path}`,
      'about:blank',
    ],
    ready: async () => (await portFile(profile.path)) !== undefined,
    debianPackage: 'chromium',
    isScript: true,
  });
  const [port, path] = ((await portFile(profile.path)) ?? '').split('\n');
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
  await once(socket, 'open');
  const waiting = new Map<number, { answer: (message: Message) => void; sessionId: string | undefined }>();
  const listeners = new Set<(message: Message) => void>();
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.answer(message);
    else for (const listener of listeners) listener(message);
  });
  let count = 0;
  async function tell(method: string, params: object = {}, sessionId?: string): Promise<Readonly<Record<string, unknown>>> {
    const id = ++count;
    const answered = new Promise<Message>((resolve) => waiting.set(id, { answer: resolve, sessionId }));
    socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }));
    const { result = {}, error } = await answered;
    waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }
  const pairs = (headers['cookie'] ?? '').split('; ').map((pair) => pair.split('=', 2));
  await tell('Storage.setCookies', { cookies: pairs.map(([name = '', value = '']) => ({ name, value, url })) });
  await tell('Browser.setDownloadBehavior', { behavior: 'allowAndName', downloadPath: saves.path, eventsEnabled: true });
  const { targetId } = await tell('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await tell('Target.attachToTarget', { targetId, flatten: true });
  const inPage = (method: string, params: object = {}) => tell(method, params, String(sessionId));

  // Each realm is a target of its own: workers belong to the page, service workers to the browser.
  const realms = new Map([[String(targetId), String(sessionId)]]);
  listeners.add(({ method, params }) => {
    if (method === 'Target.detachedFromTarget') {
      const ended = String(params?.['sessionId']);
      for (const [target, session] of realms) if (session === ended) realms.delete(target);
      // What it was asked is never answered.
      for (const { answer, sessionId: asked } of waiting.values())
        if (asked === ended) answer({ error: { message: 'The target has ended.' } });
    }
    if (method !== 'Target.attachedToTarget') return;
    const target = params?.['targetInfo'] as { readonly targetId: string };
    realms.set(target.targetId, String(params?.['sessionId']));
  });
  const workers = ['worker', 'service_worker'].map((type) => ({ type }));
  const attaching = { autoAttach: true, waitForDebuggerOnStart: false, flatten: true, filter: workers };
  await Promise.all([inPage('Target.setAutoAttach', attaching), tell('Target.setAutoAttach', attaching)]);

  const inRealms = (method: string) =>
    Promise.all(
      [...realms.values()].map((realm) =>
        tell(method, {}, realm).catch((error: unknown) => {
          // A worker may end while it is asked.
          if ([...realms.values()].includes(realm)) throw error;
          return {};
        }),
      ),
    );

  const evaluate: Page['evaluate'] = async (expression) => {
    const { result, exceptionDetails } = await inPage('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return (result as { readonly value?: unknown }).value;
  };
  const found = (css: string, name: string): string =>
    `[...document.querySelectorAll(${JSON.stringify(css)})].find((one) => (one.ariaLabel ?? one.innerText).trim() === ${JSON.stringify(name)})`;
  const until = async (expression: string): Promise<void> => {
    while ((await evaluate(expression)) !== true) await new Promise((resolve) => setTimeout(resolve, lookEvery));
  };
  return {
    pid: browser.pid,
    async open(address) {
      await inPage('Page.navigate', { url: address });
      await until(`location.href === ${JSON.stringify(address)} && document.readyState === 'complete'`);
    },
    async heap() {
      const heaps: readonly HeapUsage[] = await inRealms('Runtime.getHeapUsage');
      // V8 counts what buffers hold beside its heap.
      return heaps.reduce(
        (all, { usedSize = 0, embedderHeapUsedSize = 0, backingStorageSize = 0 }) =>
          all + usedSize + embedderHeapUsedSize + backingStorageSize,
        0,
      );
    },
    async collectGarbage() {
      await inRealms('HeapProfiler.collectGarbage');
    },
    evaluate,
    see: (css, name) => until(`${found(css, name)} !== undefined`),
    press: (css, name) => until(`(() => { const one = ${found(css, name)}; one?.click(); return one !== undefined; })()`),
    async write(text) {
      await inPage('Input.insertText', { text });
    },
    async choose(css, path) {
      const { root } = (await inPage('DOM.getDocument')) as { readonly root: { readonly nodeId: number } };
      const { nodeId } = await inPage('DOM.querySelector', { nodeId: root.nodeId, selector: css });
      await inPage('DOM.setFileInputFiles', { nodeId, files: [path] });
    },
    async saved(begin) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const onProgress = ({ method, params }: Message): void => {
        if (method !== 'Browser.downloadProgress' || params?.['state'] === 'inProgress') return;
        if (params?.['state'] === 'completed') resolve(join(saves.path, String(params['guid'])));
        else reject(new Error(`the download was ${String(params?.['state'])} after ${String(params?.['receivedBytes'])} bytes`));
      };
      listeners.add(onProgress);
      try {
        await begin();
        return await promise;
      } finally {
        listeners.delete(onProgress);
      }
    },
    async stop() {
      socket.close();
      await browser.stop();
      await Promise.all([profile.remove(), saves.remove()]);
    },
  };
}

/** Port and path of the browser's debugger, once it has written them. */
async function portFile(profile: string): Promise<string | undefined> {
  const text = await readFile(join(profile, 'DevToolsActivePort'), 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  });
  return text.includes('/') ? text : undefined;
}
