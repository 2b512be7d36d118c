import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { test } from 'node:test';
import { addSftp } from '#/testing/links.ts';
import { nas, program } from './testing/nas.ts';

type Client = Awaited<ReturnType<typeof program>>;

/** Begins to send a document that never ends; resolves when the server asks for the body, so that it holds a place for it. */
async function begin({ presign }: Pick<Client, 'presign'>): Promise<ClientRequest> {
  const headers = { 'content-length': 100, expect: '100-continue' };
  const sending = request(presign('/my-nas', { method: 'PUT' }), { method: 'PUT', headers });
  sending.on('error', () => undefined);
  sending.flushHeaders();
  await once(sending, 'continue');
  sending.write('x');
  return sending;
}

test('unfinished documents of one account take a bounded amount of memory, and no other account waits for them', async (t) => {
  const { client, user, url, signUp } = await nas(t);
  const other = await signUp();
  await addSftp(other, 'My NAS');
  const others = await program(other, url);
  const held = await Promise.all(Array.from({ length: 8 }, () => begin(client)));
  const own = await program(user, url);
  let isAnswered = false;
  const ninth = own.status({ method: 'PUT', path: '/my-nas', body: 'x' }).finally(() => (isAnswered = true));
  for (let times = 0; times < 5; times++) assert.equal(await others.status({ method: 'PUT', path: '/my-nas', body: 'x' }), 200);
  assert.equal(isAnswered, false);
  held[0]?.destroy();
  assert.equal(await ninth, 200);
  for (const sending of held) sending.destroy();
});

test('the server stops although a document is unfinished', async (t) => {
  const { client, app } = await nas(t);
  const sending = await begin(client);
  const gone = new Promise((resolve) => sending.once('close', resolve));
  await app.close();
  await gone;
});
