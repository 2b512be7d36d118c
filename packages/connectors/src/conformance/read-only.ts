import assert from 'node:assert/strict';
import { chmod, chown, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { Connector } from '../core/connector.ts';
import { type ConnectorErrorKind, isKind } from '../core/error.ts';
import { collect } from '../kit/body/body.ts';
import { ask } from './setting.ts';

/** A server whose files are on this machine. */
interface Stage {
  readonly home: string;
  open(): Connector;
  stop(): Promise<void>;
}

/** Errors by which a server may refuse changes; a wrong name, a missing item or an invalid answer is not among them. */
const honest: readonly ConnectorErrorKind[] = ['forbidden', 'unsupported', 'failed'];

/** A source that is read-only because of its disk or its own settings. */
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
    assert.equal((await collect(await connector.read('/closed/a.txt', ask()))).toString(), 'alpha');
    assert.deepEqual((await readdir(folder)).sort(), ['a.txt', 'sub']);
  });
}
