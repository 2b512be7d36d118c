import assert from 'node:assert/strict';
import { readFile, readdir, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { confirmDevice, listAuthCodes, refuseDevice, revokeAuthCode } from '@sheaf/contract';
import { codeOf, setting } from '#/testing/setting.ts';

test('login shows a code and an address, waits for the confirmation in the browser, and stores the token readable by the user only', async (t) => {
  const { url, email, kept, sheaf, start, ask } = await setting(t, { signedIn: false });
  const running = start('login', '--no-open', url);
  const userCode = await codeOf(running);
  assert.ok(running.err().includes(`${url}/device?user_code=${userCode}`));
  await ask(confirmDevice, { userCode });
  const { code, err } = await running.ended;
  assert.equal(code, 0, err);
  assert.ok(err.includes(`Signed in as Mara (${email}).`), err);
  const file = join(kept, 'account.json');
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.ok(!err.includes((JSON.parse(await readFile(file, 'utf8')) as { token: string }).token));
  assert.equal((await sheaf('links')).code, 0);
  const { codes } = await ask(listAuthCodes, {});
  assert.deepEqual(
    codes.map(({ name }) => name),
    [hostname()],
  );
  await ask(revokeAuthCode, { authCodeId: codes[0]?.authCodeId ?? '' });
  assert.equal((await sheaf('links')).code, 3);
});

test('a login that is refused in the browser says so and stores nothing', async (t) => {
  const { url, kept, start, ask } = await setting(t, { signedIn: false });
  const running = start('login', '--no-open', url);
  await ask(refuseDevice, { userCode: await codeOf(running) });
  const { code, err } = await running.ended;
  assert.deepEqual([code, err.endsWith('It was not let in: the person refused.\n')], [1, true], err);
  assert.deepEqual(await readdir(kept).catch(() => []), []);
});
