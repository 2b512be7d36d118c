import assert from 'node:assert/strict';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import type { Connector } from '../core/connector.ts';
import type { Leftovers } from '../core/leftovers.ts';
import { parseLeftover } from '../kit/object-store/leftover.ts';

/** A server whose files are on the local disk. */
export interface Stage {
  stop(): Promise<void>;
  readonly home: string;
  readonly port: number;
  /** A proxy to the server, which can be stopped. */
  proxy(): Promise<{ readonly port: number; stop(): Promise<void> }>;
  /** Opens the server at that port. */
  open(port: number, leftovers: Leftovers): Connector;
}

interface Traits {
  /** Whether the connector renames the old file because the server cannot replace it. */
  readonly stepsAside: boolean;
}

interface Note {
  readonly text: string;
  end: 'gone' | 'stays' | undefined;
}

const ask = () => ({ signal: AbortSignal.timeout(20_000), ifExists: 'replace' as const });

/** Records leftover notes in memory, readable by the test. */
export function notebook(): { readonly notes: Note[]; readonly leftovers: Leftovers } {
  const notes: Note[] = [];
  const note = (text: string) => {
    const taken: Note = { text, end: undefined };
    notes.push(taken);
    return {
      kept: Promise.resolve(),
      hold: async () => true,
      gone: () => void (taken.end = 'gone'),
      stays: () => void (taken.end = 'stays'),
    };
  };
  return { notes, leftovers: { note } };
}

/** Promises about the leftover notes of uploads over file protocols, and their cleanup long afterwards. */
export function clearsUp(id: string, start: () => Promise<Stage>, { stepsAside }: Traits): void {
  describe(id, () => {
    let stage: Stage;
    before(async () => {
      stage = await start();
    });
    after(() => stage.stop());

    test('the leftover of a broken upload is removed by its note, and nothing else is', async (t) => {
      const { home, port, open } = stage;
      const { notes, leftovers } = notebook();
      const connector = open(port, leftovers);
      t.after(() => connector.close());
      await connector.write?.('/file', Readable.from([Buffer.from('old')]), ask());
      const [{ text, end } = { text: '', end: undefined }] = notes;
      assert.equal(end, 'gone');
      const { partialName } = parseLeftover(text);
      const kept = partialName.replace('.sheaf-partial-', 'sheaf-kept-');
      const put = (name: string, content: string) => writeFile(join(home, name), content, { mode: 0o666 });
      const names = async () =>
        (await readdir(home)).filter((name) => !['.DAV', 'other', '.sheaf-partial-01234567-89ab'].includes(name)).sort();
      const cleared = () => connector.clearUp?.(text, ask());
      await put('.sheaf-partial-01234567-89ab', 'of another upload');
      await put('other', 'other');

      await put(partialName, 'half');
      await cleared();
      assert.deepEqual(await names(), ['file']);
      await cleared();
      assert.equal(await readFile(join(home, 'file'), 'utf8'), 'old');
      assert.equal((await readdir(home)).includes('.sheaf-partial-01234567-89ab'), true);
      await assert.rejects(async () => connector.clearUp?.(JSON.stringify(['/file', 'other']), ask()), { kind: 'unexpected' });
      if (!stepsAside) return;

      await put(kept, 'the only copy');
      await rm(join(home, 'file'));
      await cleared();
      assert.deepEqual(await names(), [kept], 'without the new file nobody knows whether it came and was taken away');
      await put(partialName, 'whole');
      await put('file', 'written since');
      await cleared();
      assert.deepEqual(await names(), ['file', kept].sort());
      await rm(join(home, 'file'));
      await put(partialName, 'whole');
      await cleared();
      assert.deepEqual(await names(), ['file']);
      assert.equal(await readFile(join(home, 'file'), 'utf8'), 'the only copy');
    });

    test('an upload that loses the server for good reports that something stays', async (t) => {
      const { open } = stage;
      const proxy = await stage.proxy();
      const { notes, leftovers } = notebook();
      const connector = open(proxy.port, leftovers);
      t.after(() => connector.close());
      async function* half(): AsyncGenerator<Uint8Array> {
        yield Buffer.alloc(64 * 1024);
        await proxy.stop();
        yield Buffer.alloc(64 * 1024);
      }
      await assert.rejects(async () => connector.write?.('/file', Readable.from(half()), ask()));
      assert.deepEqual(
        notes.map(({ end }) => end),
        ['stays'],
      );
    });
  });
}
