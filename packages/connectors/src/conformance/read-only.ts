import assert from 'node:assert/strict';
import { chmod, chown, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { Connector } from '../core/connector.ts';
import { type ConnectorErrorKind, isKind } from '../core/error.ts';
import { binOf } from '../core/operations.ts';
import { hiddenBin } from '../kit/bins/hidden-bin.ts';
import { collect } from '../kit/body/body.ts';
import { ask } from './setting.ts';

/** A server whose files are on the local disk. */
interface Stage {
  readonly home: string;
  open(): Connector;
  stop(): Promise<void>;
}

/** Acceptable errors of a server that refuses changes; a wrong name, a missing item or an invalid answer would be misleading. */
const honest: readonly ConnectorErrorKind[] = ['forbidden', 'unsupported', 'failed'];

/** Promises for a source that is read-only because of its disk or its own settings. */
export function readOnlyConformance(title: string, start: () => Promise<Stage>): void {
  test(`a read-only ${title} says so of each change, and can be read`, async (t) => {
    const stage = await start();
    t.after(() => stage.stop());
    const folder = join(stage.home, 'closed');
    await mkdir(join(folder, 'sub'), { recursive: true });
    await writeFile(join(folder, 'a.txt'), 'alpha', { mode: 0o644 });
    for (const path of [stage.home, folder, join(folder, 'sub')]) {
      await chown(path, 0, 0);
      await chmod(path, 0o555);
    }
    const connector = stage.open();
    t.after(() => connector.close());
    const body = () => Readable.from([Buffer.from('new')]);
    const changes: readonly (() => Promise<unknown> | undefined)[] = [
      () => connector.write?.('/closed/new.txt', body(), { ...ask(), ifExists: 'fail', size: 3 }),
      () => connector.write?.('/closed/a.txt', body(), { ...ask(), ifExists: 'replace', size: 3 }),
      () => connector.createFolder?.('/closed/new', ask()),
      () => connector.rename?.('/closed/a.txt', 'b.txt', ask()),
      () => connector.move?.('/closed/a.txt', '/closed/sub/a.txt', ask()),
      () => connector.remove?.('/closed/a.txt', ask()),
    ];
    for (const [index, change] of changes.entries())
      await assert.rejects(
        async () => change(),
        (error) => isKind(error, ...honest) || assert.fail(`change ${index}: ${String(error)}`),
      );
    // A permanent deletion is refused as well, so it must not be offered in place of one into the hidden bin.
    const bin = binOf(hiddenBin(connector)) ?? assert.fail('no bin');
    const discarded = bin.discard('/closed/a.txt', { ...ask(), day: '2026-11-25', key: 'k', before: async () => undefined });
    await assert.rejects(discarded, { kind: 'forbidden', details: { problem: 'readOnly' } });
    assert.equal((await collect(await connector.read('/closed/a.txt', ask()))).toString(), 'alpha');
    assert.deepEqual((await readdir(folder)).sort(), ['a.txt', 'sub']);
  });
}
