import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { allLinks, copyObjects, oneTransfer, reportKey, transferReport, transferSignature } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { setting } from '#/testing/setting.ts';

test('a report is verified with the key of the server; a changed report or signature is refused', async (t) => {
  const { url, ask, source, local, put, sheaf } = await setting(t);
  await put(source, { 'from/a.txt': 'a', 'to/b.txt': 'b' });
  const root = (await ask(allLinks, {})).activeSources.flatMap(({ links }) => links)[0]?.linkUri ?? '';
  const { transferId } = await ask(copyObjects, { linkUri: [`${root}/from/a.txt`], parentLinkUri: `${root}/to`, conflict: 'fail' });
  await eventually(async () => (await ask(oneTransfer, { transferId })).state === 'done', 'the file is copied');
  const file = (name: string): string => join(local, name);
  const report = (await ask(transferReport, { transferId, format: 'csv' })) as unknown as string;
  const signature = JSON.stringify({ success: true, data: await ask(transferSignature, { transferId, format: 'csv' }) });
  await Promise.all([
    writeFile(file('report.csv'), report),
    writeFile(file('signature.json'), signature),
    writeFile(file('key.pem'), (await ask(reportKey, {})).publicKey),
  ]);
  const check = (...args: readonly string[]) => sheaf('verify', ...args, file('report.csv'), file('signature.json'));
  const right = await check();
  assert.deepEqual([right.code, right.out], [0, `${file('report.csv')} is as ${url} signed it.\n`], right.err);
  assert.equal((await check('--key', file('key.pem'))).code, 0);

  await writeFile(
    file('signature.json'),
    signature.replace(/"signature":"./, (start) => start.slice(0, -1) + (start.endsWith('A') ? 'B' : 'A')),
  );
  const forged = await check();
  assert.deepEqual([forged.code, forged.err], [1, `The signature is not one of ${url}.\n`]);
  await writeFile(file('signature.json'), signature);
  await writeFile(file('report.csv'), (await readFile(file('report.csv'), 'utf8')).replace('a.txt', 'z.txt'));
  assert.deepEqual([(await check()).code, (await check()).err], [1, `${file('report.csv')} has changed since it was signed.\n`]);
});
