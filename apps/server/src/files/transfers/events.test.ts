import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { limits, logout, transferEvents } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { type User, testApp } from '#/testing/app.ts';

async function listening(t: TestContext) {
  const { app, signUp } = await testApp(t);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}${transferEvents.path}`;
  const cookieOf = ({ cookies }: User): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const listen = (cookie: string) => {
    const leaving = new AbortController();
    const response = fetch(url, { headers: { cookie }, signal: AbortSignal.any([leaving.signal, AbortSignal.timeout(60_000)]) });
    return { response, leave: () => leaving.abort() };
  };
  return { signUp, cookieOf, listen };
}

test('a stream of events ends with the session that opened it', async (t) => {
  const { signUp, cookieOf, listen } = await listening(t);
  const user = await signUp();
  const { response } = listen(cookieOf(user));
  const ended = (await response).text();
  await user.ask(logout, {});
  assert.equal(await ended, ': open\n\n');
});

test('an account has a bounded number of open streams, and places become free', async (t) => {
  const { signUp, cookieOf, listen } = await listening(t);
  const [user, other] = [await signUp(), await signUp()];
  const open = Array.from({ length: limits.eventStreams }, () => listen(cookieOf(user)));
  for (const { response } of open) assert.equal((await response).status, 200);
  assert.equal((await listen(cookieOf(user)).response).status, 429);
  const theirs = listen(cookieOf(other));
  assert.equal((await theirs.response).status, 200);
  for (const { leave } of [...open, theirs]) leave();
  await eventually(async () => {
    const { response, leave } = listen(cookieOf(user));
    const { status } = await response;
    leave();
    return status === 200;
  }, 'a place is free');
});
