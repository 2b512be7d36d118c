import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { type Transfer, copyObjects, linkUriOf, transferEvents } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import type { User } from '#/testing/app.ts';
import { addSftp, linkApp } from '#/testing/links.ts';

test('events tell each change of the own transfers, also of two at one time and by an instance whose clock is late', async (t) => {
  const { app, user, source, services, signUp } = await linkApp(t);
  const stranger = await signUp();
  const { userLinkId } = await addSftp(user, 'One');
  source.put('/from/a', 'a');
  source.put('/to/beside', 'x');
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}${transferEvents.path}`;
  const leaving = new AbortController();
  // An open stream keeps the server from closing.
  const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(120_000)]);
  const [own, others] = [await watching(url, user, signal), await watching(url, stranger, signal)];

  const ends = { linkUri: [linkUriOf(userLinkId, '/from/a')], parentLinkUri: linkUriOf(userLinkId, '/to') };
  const { transferId } = await user.ask(copyObjects, { ...ends, conflict: 'fail' });
  const last = (): Transfer | undefined => own.at(-1);
  await eventually(() => last()?.state === 'done', 'its end is told');
  assert.equal(last()?.transferId, transferId);

  const { db } = services.database;
  const change = (values: { readonly bytesSentTwice: number; readonly changedAt?: number }) =>
    db.updateTable('transfer').set(values).where('id', '=', transferId).execute();
  await change({ bytesSentTwice: 1 });
  await eventually(() => last()?.bytesSentTwice === 1, 'a change at the time of the last one is told');
  const { changedAt } = await db.selectFrom('transfer').select('changedAt').where('id', '=', transferId).executeTakeFirstOrThrow();
  await change({ bytesSentTwice: 2, changedAt: Number(changedAt) - 3000 });
  await eventually(() => last()?.bytesSentTwice === 2, 'a change by a late clock is told');
  const count = own.length;
  await change({ bytesSentTwice: 3 });
  await eventually(() => last()?.bytesSentTwice === 3, 'the next change is told');
  assert.equal(own.length, count + 1, 'nothing is told twice');
  assert.deepEqual(others, []);
  leaving.abort();
});

/** The events of a stream, as they arrive. */
async function watching(url: string, user: User, signal: AbortSignal): Promise<Transfer[]> {
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(url, { headers: { cookie }, signal });
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  const seen: Transfer[] = [];
  const opened = Promise.withResolvers<void>();
  const read = async (): Promise<void> => {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      opened.resolve();
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = /^event: transfer\ndata: (.*)$/.exec(block)?.[1];
        if (data !== undefined) seen.push(JSON.parse(data) as Transfer);
      }
    }
  };
  read().catch((error: unknown) => (signal.aborted ? undefined : opened.reject(error)));
  await opened.promise;
  return seen;
}
