import { once } from 'node:events';
import type { Screen } from './screen.ts';
import type { Tab } from './tab.ts';

/** Timeout of a command, in milliseconds. */
const patience = 60_000;

interface Message {
  readonly id?: number;
  readonly type: 'success' | 'error' | 'event';
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: string;
  readonly message?: string;
}

/** An entry of the log (WebDriver BiDi, section 7.8.3.1). */
interface Entry {
  readonly level: string;
  readonly text: string | null;
}

/** Starts a WebDriver BiDi session at a browser or driver: https://w3c.github.io/webdriver-bidi/ */
export async function openBidi(address: string, screen: Screen): Promise<{ readonly tab: Tab; close(): Promise<void> }> {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const errors: string[] = [];
  let last = 0;

  socket.addEventListener('message', ({ data }) => {
    const { id, type, method, params, result, error, message } = JSON.parse(String(data)) as Message;
    if (method === 'log.entryAdded') {
      const { level, text } = params as Entry;
      if (level === 'error') errors.push(text ?? '');
    }
    const asked = id === undefined ? undefined : waiting.get(id);
    if (id === undefined || asked === undefined) return;
    waiting.delete(id);
    if (type === 'success') asked.resolve(result);
    else asked.reject(new Error(`${error}: ${message}`));
  });
  socket.addEventListener('close', () => {
    for (const asked of waiting.values()) asked.reject(new Error('the browser closed the connection'));
  });

  async function send<Result>(method: string, params: object): Promise<Result> {
    const id = (last += 1);
    const asked = Promise.withResolvers<unknown>();
    waiting.set(id, asked);
    socket.send(JSON.stringify({ id, method, params }));
    const late = setTimeout(() => asked.reject(new Error(`${method}: no answer within ${patience} ms`)), patience);
    try {
      return (await asked.promise) as Result;
    } finally {
      clearTimeout(late);
    }
  }

  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded'] });
  const { contexts } = await send<{ contexts: readonly { context: string }[] }>('browsingContext.getTree', {});
  const context = contexts[0]?.context;
  if (context === undefined) throw new Error('the browser has no page');

  // Without this the page has no focus, like a window in the background.
  await send('browsingContext.activate', { context });

  const tab: Tab = {
    async open(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    async evaluate(expression) {
      const answer = await send<Evaluated>('script.evaluate', {
        expression: `(async () => JSON.stringify(await ${expression}))()`,
        target: { context },
        awaitPromise: true,
      });
      if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text);
      return answer.result.value === undefined ? undefined : (JSON.parse(answer.result.value) as unknown);
    },
    async act(actions) {
      await screen.act(actions, (await tab.evaluate('[mozInnerScreenX, mozInnerScreenY]')) as [number, number]);
    },
    async chooseFiles(css, files) {
      const { nodes } = await send<{ nodes: readonly { sharedId: string }[] }>('browsingContext.locateNodes', {
        context,
        locator: { type: 'css', value: css },
        maxNodeCount: 1,
      });
      if (nodes[0] === undefined) throw new Error(`there is no ${css}`);
      await send('input.setFiles', { context, element: { sharedId: nodes[0].sharedId }, files });
    },
    async resize(width, height) {
      await send('browsingContext.setViewport', { context, viewport: { width, height } });
    },
    async picture() {
      const { data } = await send<{ data: string }>('browsingContext.captureScreenshot', { context });
      return Buffer.from(data, 'base64');
    },
    errors: () => Promise.resolve(errors),
  };
  return {
    tab,
    async close() {
      await send('session.end', {});
      socket.close();
    },
  };
}

type Evaluated =
  | { readonly type: 'success'; readonly result: { readonly value?: string } }
  | { readonly type: 'exception'; readonly exceptionDetails: { readonly text: string } };
