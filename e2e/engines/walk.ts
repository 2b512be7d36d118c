import assert from 'node:assert/strict';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startOpenssh, startProxy, tempDir } from '@sheaf/testbed';
import { pngOf } from '../fixtures/pictures.ts';
import { startSheaf } from '../fixtures/sheaf.ts';
import { makeStorage } from '../fixtures/storage.ts';
import { painted, personAt } from './person.ts';
import { type Way, stepsOf } from './steps.ts';
import type { Browser } from './tab.ts';

/** Folder of the walk's screenshots. */
const pictures = join(import.meta.dirname, '../test-results/engines');

const wide = [1280, 860] as const;
const narrow = [390, 844] as const;

/** Walks, as a new user, through everything that engines do differently, in the browser that `start` starts. */
export async function walk(engine: string, start: () => Promise<Browser>): Promise<void> {
  await using ends = new AsyncDisposableStack();
  const desk = await tempDir('desk');
  ends.defer(desk.remove);
  const server = await startOpenssh();
  ends.defer(() => server.stop());
  const line = await startProxy({ target: server });
  ends.defer(() => line.stop());
  const sheaf = await startSheaf();
  ends.defer(() => sheaf.stop());
  const storage = await makeStorage(server, 'walk');
  await storage.put({ 'Album/': '', 'letter.txt': 'Dear reader', 'moved.txt': 'moved' });
  await writeFile(join(storage.path, 'Album/dusk.png'), pngOf(900, 600));
  await utimes(join(storage.path, 'letter.txt'), new Date('2026-03-01T11:30:00Z'), new Date('2026-03-01T11:30:00Z'));
  const { tab, stop } = await start();
  ends.defer(stop);
  await tab.resize(...wide);
  const folder = join(pictures, engine);
  await mkdir(folder, { recursive: true });

  const keep = async (name: string): Promise<void> => {
    await painted(tab);
    await writeFile(join(folder, `${name}.png`), await tab.picture());
  };
  const picture = async (name: string): Promise<void> => {
    await keep(`${name} 1280`);
    await tab.resize(...narrow);
    await keep(`${name} 390`);
    const [content, window] = (await tab.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number];
    await tab.resize(...wide);
    assert.equal(window, narrow[0]);
    assert.ok(content <= window, `${name} is ${content} pixels wide in a window of ${window}`);
  };
  const way: Way = { person: personAt(tab, sheaf.url), tab, storage, line, desk: desk.path, picture };

  for (const [name, take] of stepsOf(way))
    try {
      await take();
    } catch (error) {
      // A browser that has crashed gives no screenshot; the first error reports the crash.
      await Promise.allSettled([keep(`failed at ${name}`)]);
      throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  assert.deepEqual(await tab.errors(), []);
}
