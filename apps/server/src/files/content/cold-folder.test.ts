import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Item, familyCalls, getMore, remoteUpdate } from '@sheaf/contract';
import { startOpenssh, startProxy } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { draftOf, sftpInfo } from '#/testing/links.ts';

test('the pages of a folder that arrives slowly from a real server neither overlap nor leave anything out, for a client that asks for one after the other', async (t) => {
  const openssh = await startOpenssh();
  t.after(() => openssh.stop());
  const proxy = await startProxy({ target: { port: openssh.port } });
  t.after(() => proxy.stop());
  // Created in another order than that of their names.
  const names = Array.from({ length: 1500 }, (_, at) => `file-${String((at * 701) % 1500).padStart(5, '0')}`);
  await mkdir(join(openssh.home, 'cold'));
  for (const name of names) await writeFile(join(openssh.home, 'cold', name), 'x');
  const { signUp } = await testApp(t);
  const user = await signUp();
  const info = { ...sftpInfo, server: `127.0.0.1:${proxy.port}`, username: openssh.username, password: openssh.password };
  const { linkUri } = await user.ask(familyCalls.sftp.add, draftOf(info, { serverName: 'NAS' }));
  await user.ask(remoteUpdate, { linkUri, sort: 'name', order: 'asc', limit: 25, fresh: true, refresh: true });
  proxy.delay(30);
  const view = { linkUri: `${linkUri}/cold`, sort: 'name', order: 'asc', limit: 200 } as const;
  const seen: string[] = [];
  const take = (items: readonly Item[]) => void seen.push(...items.map(({ name }) => name));
  let { items, hasMore } = await user.ask(remoteUpdate, { ...view, fresh: false, refresh: true });
  take(items);
  while (hasMore) {
    ({ items, hasMore } = await user.ask(getMore, { ...view, offset: seen.length }));
    take(items);
  }
  assert.deepEqual(seen, names.toSorted());
});
