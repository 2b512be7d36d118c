import type { Screen } from './screen.ts';
import type { Tab } from './tab.ts';

/** Web element identifier (WebDriver, section 12.1). */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

/**
 * Records errors in the page, because this protocol does not report them; misses errors while the page loads. A string, because the page runs it.
 */
const watchErrors = `(() => {
  if (window.seenErrors) return;
  const seen = (window.seenErrors = []);
  addEventListener('error', (event) => seen.push(event.message));
  addEventListener('unhandledrejection', (event) => seen.push(String(event.reason)));
  const write = console.error;
  console.error = (...words) => (seen.push(words.join(' ')), write(...words));
})()`;

/** Starts a WebDriver classic session at a driver: https://w3c.github.io/webdriver/ */
export async function openClassic(driver: string, screen: Screen): Promise<{ readonly tab: Tab; close(): Promise<void> }> {
  async function send<Value>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Value> {
    const answer = await fetch(`${driver}/session${path}`, {
      method,
      signal: AbortSignal.timeout(60_000),
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const { value } = (await answer.json()) as { value: Value };
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  }

  const { sessionId } = await send<{ sessionId: string }>('POST', '', { capabilities: {} });
  const own = `/${sessionId}`;
  const errors: string[] = [];
  const run = <Value>(script: string): Promise<Value> => send('POST', `${own}/execute/sync`, { script, args: [] });
  const collect = async (): Promise<void> => {
    errors.push(...(await run<string[]>('return (window.seenErrors ?? []).splice(0)')));
  };

  const tab: Tab = {
    async open(url) {
      await collect();
      await send('POST', `${own}/url`, { url });
      await run(watchErrors);
    },
    async evaluate(expression) {
      const answer = await run<string | null>(`return (async () => JSON.stringify(await ${expression}))()`);
      return answer === null ? undefined : (JSON.parse(answer) as unknown);
    },
    async act(actions) {
      await screen.act(actions, await run('return [0, outerHeight - innerHeight]'));
    },
    async chooseFiles(css, paths) {
      const element = await send<Record<string, string>>('POST', `${own}/element`, { using: 'css selector', value: css });
      await send('POST', `${own}/element/${element[elementKey] ?? ''}/value`, { text: paths.join('\n') });
    },
    async resize(width, height) {
      // The window includes browser bars, the page does not.
      const outer = await send<{ width: number; height: number }>('GET', `${own}/window/rect`);
      const [innerWidth, innerHeight] = await run<[number, number]>('return [innerWidth, innerHeight]');
      const size = { width: width + outer.width - innerWidth, height: height + outer.height - innerHeight };
      await send('POST', `${own}/window/rect`, { x: 0, y: 0, ...size });
    },
    async picture() {
      return Buffer.from(await send<string>('GET', `${own}/screenshot`), 'base64');
    },
    async errors() {
      await collect();
      return errors;
    },
  };
  return {
    tab,
    async close() {
      await send('DELETE', own);
    },
  };
}
