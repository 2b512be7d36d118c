import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Connector, ConnectorError } from '@sheaf/connectors';
import type { OpenLink } from '#/links/connections/connections.ts';
import type { AccessStore } from './access-store.ts';
import { createAccess } from './access.ts';

/** A connector whose listings hang until they are aborted. */
const hanging = {
  async *list(_path: string, { signal }: { signal: AbortSignal }) {
    await new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new ConnectorError('aborted', 'given up')), { once: true });
    });
    yield [];
  },
} as unknown as Connector;

test('a withdrawn right ends what runs by it, also when more rights are in use than are cached', async () => {
  const withdrawn = new Set<string>();
  const store = {
    link: async (userId: string, id: string) =>
      withdrawn.has(`${userId} ${id}`)
        ? undefined
        : { ownerId: 'org', provider: 'SFTP', name: id, ownerName: 'Acme', membershipId: 'm', role: 'member', disabledAt: null },
  } as unknown as AccessStore;
  const storage = { userLinkId: 'L', connector: hanging } as unknown as OpenLink;
  const access = createAccess({
    store,
    connections: { open: async () => storage, findByName: async () => undefined },
    subscribed: { hasPremium: async () => true, hasOrgPlan: async () => true },
    now: () => 0,
    most: 2,
  });
  const list = async (userId: string, { connector }: OpenLink): Promise<string> => {
    try {
      for await (const _ of connector.list('/', { signal: AbortSignal.timeout(10_000) }));
      return `${userId}: all`;
    } catch (error) {
      return `${userId}: ${error instanceof Error ? error.message : ''}`;
    }
  };
  // The first one's link is held without anything running while it is evicted.
  const held = await access.open('early', 'L');
  const running = [list('mara', await access.open('mara', 'L')), list('noor', await access.open('noor', 'L'))];
  for (const user of ['a', 'b', 'c', 'd']) await access.open(user, 'L');
  running.push(list('early', held));
  const first = Promise.race(running);
  withdrawn.add('mara L');
  await access.recheck('org');
  assert.match(await first, /^mara: /);
  withdrawn.add('early L');
  await access.recheck('early');
  assert.match((await running[2]) ?? '', /^early: /);
  access.forget('noor', 'L');
  assert.match((await running[1]) ?? '', /^noor: /);
});
