import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { copyObjects, linkUriOf, oneTransfer } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import type { User } from './app.ts';
import { type LinkApp, addSftp } from './links.ts';

/** An upload of the user's that the source keeps waiting: `goOn` lets it finish. */
export async function uploading({ services, source }: LinkApp, { userId }: User, userLinkId: string) {
  const { connector } = await services.access.open(userId, userLinkId);
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: goneOn, resolve: goOn } = Promise.withResolvers<void>();
  source.setGate(async (operation) => {
    if (operation !== 'write') return;
    begin();
    await goneOn;
  });
  const body = Readable.from([Buffer.from('late')]);
  const written = connector.write?.('/late.txt', body, { signal: AbortSignal.timeout(60_000), ifExists: 'fail' });
  assert.ok(written);
  await begun;
  return { written, goOn };
}

/** A running transfer of one file whose bytes the source keeps waiting: `goOn` lets it finish. */
export async function transferring({ user, source }: Pick<LinkApp, 'user' | 'source'>) {
  const { userLinkId: one } = await addSftp(user, 'One', { server: 'one.example' });
  const { userLinkId: other } = await addSftp(user, 'Other', { server: 'other.example' });
  source.put('/from/a.txt', 'a');
  source.put('/to/keep.txt', 'kept');
  const { promise: goneOn, resolve: goOn } = Promise.withResolvers<void>();
  source.setGate((operation) => (operation === 'read' ? goneOn : undefined));
  const { transferId } = await user.ask(copyObjects, {
    linkUri: [linkUriOf(one, '/from')],
    parentLinkUri: linkUriOf(other, '/to'),
    conflict: 'fail',
  });
  const state = async () => (await user.ask(oneTransfer, { transferId })).state;
  await eventually(async () => (await state()) === 'running', 'the file is being read');
  return { transferId, goOn, state };
}
