import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startOpenssh } from '@sheaf/testbed';
import { collect } from '../../kit/body/body.ts';
import type { Connection } from './session/connection.ts';
import { openShort } from './short-read.ts';
import { connectTestLink } from './testing/link.ts';

test('a short file is read without asking for its metadata, and one that is shorter or longer than known shows it', async (t) => {
  const server = await startOpenssh();
  t.after(() => server.stop());
  await writeFile(join(server.home, 'file'), 'bytes');
  const connection = await connectTestLink(server);
  t.after(() => connection.close());
  const unasked = () => Promise.reject(new Error('the metadata was asked for'));
  let opened = 0;
  let released = 0;
  const commands: Connection['commands'] = {
    ...connection.commands,
    stat: unasked,
    fstat: unasked,
    openRead(path) {
      opened += 1;
      return connection.commands.openRead(path);
    },
  };
  const read = (size: number, path = './file') =>
    openShort(
      { connection: { ...connection, commands }, release: () => (released += 1) },
      Buffer.from(path),
      size,
      AbortSignal.timeout(20_000),
    );

  assert.equal((await collect(await read(5))).toString(), 'bytes');
  assert.equal((await collect(await read(3))).toString(), 'byte');
  assert.equal((await collect(await read(9))).toString(), 'bytes');
  assert.equal((await collect(await read(0))).toString(), 'b');
  (await read(5)).cancel();
  await assert.rejects(read(5, './missing'), { kind: 'notFound' });
  assert.deepEqual([opened, released], [6, 6]);
});
