import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { User } from './app.ts';
import type { LinkApp } from './links.ts';

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
