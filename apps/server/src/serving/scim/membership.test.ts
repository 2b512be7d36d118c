import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GivenOrgRole } from '@sheaf/contract';
import { createScimMembership } from './membership.ts';
import type { UserRow } from './store.ts';

const speaker = { orgId: 'org', name: 'Entra' };
const user: UserRow = {
  id: 'user',
  orgId: 'org',
  accountId: 'account',
  userNameKey: 'noor@example.org',
  externalId: null,
  emailKey: 'noor@example.org',
  active: 1,
  resource: '{}',
  version: 1,
  createdAt: 0,
  changedAt: 0,
};

/** A directory with one person, whose membership each write sets only when it may go on. */
function setUp() {
  const state: { row: UserRow | undefined; group: GivenOrgRole; member: GivenOrgRole | undefined } = {
    row: user,
    group: 'member',
    member: 'member',
  };
  const writes: PromiseWithResolvers<void>[] = [];
  const membership = createScimMembership({
    store: {
      findUser: async () => state.row,
      groupsOf: async () => [{ userId: 'user', id: 'group', name: 'Group', role: state.group }],
      accountOf: async () => ({ id: 'account', name: 'Noor', email: 'noor@example.org', role: state.member ?? null }),
      bind: async () => undefined,
    } as unknown as Parameters<typeof createScimMembership>[0]['store'],
    directory: {
      async follow({ role }) {
        const mayGoOn = Promise.withResolvers<void>();
        writes.push(mayGoOn);
        await mayGoOn.promise;
        state.member = role;
        return 'changed';
      },
      inviteFor: async () => 'invited',
      withdrawFor: async () => undefined,
    },
  });
  /** Lets the write of that number go on, once it has begun. */
  async function goOn(number: number): Promise<void> {
    for (let turn = 0; !writes[number]; turn++) {
      assert.ok(turn < 1000, 'there is such a write');
      await new Promise((resolve) => setImmediate(resolve));
    }
    writes[number].resolve();
  }
  return { state, membership, goOn };
}

test('a person who is deactivated while their groups change does not come back', async () => {
  const { state, membership, goOn } = setUp();
  const grouping = membership.syncAll(speaker, ['user']);
  await new Promise((resolve) => setImmediate(resolve));
  state.row = { ...user, active: 0 };
  const ending = membership.sync(speaker, state.row);
  await goOn(1);
  await ending;
  assert.equal(state.member, undefined);
  // The older request writes last.
  await goOn(0);
  await goOn(2);
  await grouping;
  assert.equal(state.member, undefined);
});

test('of two changes of groups at the same time the newer state counts, whichever is written last', async () => {
  const { state, membership, goOn } = setUp();
  const older = membership.syncAll(speaker, ['user']);
  await new Promise((resolve) => setImmediate(resolve));
  state.group = 'admin';
  const newer = membership.syncAll(speaker, ['user']);
  await goOn(1);
  await newer;
  await goOn(0);
  await goOn(2);
  await older;
  assert.equal(state.member, 'admin');
});

test('a person who was removed while their groups change does not come back', async () => {
  const { state, membership, goOn } = setUp();
  const grouping = membership.syncAll(speaker, ['user']);
  await new Promise((resolve) => setImmediate(resolve));
  state.row = undefined;
  await goOn(0);
  await goOn(1);
  await grouping;
  assert.equal(state.member, undefined);
});
