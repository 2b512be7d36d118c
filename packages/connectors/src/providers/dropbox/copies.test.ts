import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startDropbox } from '@sheaf/testbed';
import type { Connector } from '../../core/connector.ts';
import { serviceCopiesOf } from '../../core/operations.ts';
import { collect } from '../../kit/body/body.ts';
import { ask, openAs, openTeam } from './testing/link.ts';

async function started(t: TestContext) {
  const simulator = await startDropbox();
  t.after(async () => {
    await simulator.stop();
    simulator.assertClean();
  });
  const operations = (): string[] => simulator.requests.map(({ operation }) => operation?.replace('POST /2/files/', '') ?? '');
  return { simulator, operations };
}

/** The accounts Mara, without a team, and Noor, in a team. */
async function bothAccounts(t: TestContext) {
  const { simulator, operations } = await started(t);
  const [mara, noor] = [await openAs(simulator, 'mara@example.org'), await openAs(simulator, 'noor@example.org')];
  t.after(() => Promise.all([mara.close(), noor.close()]));
  return { simulator, operations, mara, noor };
}

const copiesOf = (connector: Connector) => serviceCopiesOf(connector) ?? assert.fail('no copies by the service');
const textAt = async (connector: Connector, path: string): Promise<string> => (await collect(await connector.read(path, ask()))).toString();

test('a file is copied into another account by a copy reference', async (t) => {
  const { operations, mara, noor } = await bothAccounts(t);
  const [from, to] = [copiesOf(mara), copiesOf(noor)];
  assert.equal(from.service, to.service);
  assert.notEqual(from.account, to.account);
  const file = await from.serviceFile('/Welcome.txt', { ...ask(), forAccount: to.account });
  const entry = await to.copyFrom(file, '/Noor Example/copy.txt', ask());
  assert.deepEqual([entry.name, entry.size, entry.hashes], ['copy.txt', file.entry.size, file.entry.hashes]);
  assert.deepEqual(operations().slice(-3), ['get_metadata', 'copy_reference/get', 'copy_reference/save']);
  assert.equal(await textAt(noor, '/Noor Example/copy.txt'), await textAt(mara, '/Welcome.txt'));
});

test("two links of one account copy by the file's id, whatever their root namespaces", async (t) => {
  const { simulator, operations } = await started(t);
  const [one, other] = [await openAs(simulator, 'noor@example.org'), await openAs(simulator, 'noor@example.org')];
  const [from, to] = [copiesOf(one), copiesOf(other)];
  const file = await from.serviceFile('/All hands/Agenda.txt', { ...ask(), forAccount: to.account });
  await to.copyFrom(file, '/Noor Example/Agenda.txt', ask());
  assert.deepEqual(operations().slice(-2), ['get_metadata', 'copy_v2']);
  await Promise.all([one.close(), other.close()]);
});

test("a team's link and its administrator's own link are different accounts", async (t) => {
  const { simulator } = await started(t);
  const [team, own] = [await openTeam(simulator), await openAs(simulator, 'noor@example.org')];
  assert.notEqual(copiesOf(team).account, copiesOf(own).account);
  await Promise.all([team.close(), own.close()]);
});

test('a copy into another account never replaces', async (t) => {
  const { mara, noor } = await bothAccounts(t);
  const to = copiesOf(noor);
  const file = await copiesOf(mara).serviceFile('/Welcome.txt', { ...ask(), forAccount: to.account });
  await assert.rejects(to.copyFrom(file, '/All hands/Agenda.txt', ask()), { kind: 'alreadyExists' });
});

test('a full account is reported as full, not as unable to copy', async (t) => {
  const { simulator, mara, noor } = await bothAccounts(t);
  const to = copiesOf(noor);
  const file = await copiesOf(mara).serviceFile('/Welcome.txt', { ...ask(), forAccount: to.account });
  simulator.state.quota = 1;
  await assert.rejects(to.copyFrom(file, '/Noor Example/copy.txt', ask()), { kind: 'full' });
});

test('files that Dropbox refuses to copy are reported as unsupported', async (t) => {
  const { simulator, mara, noor } = await bothAccounts(t);
  const [from, to] = [copiesOf(mara), copiesOf(noor)];
  const file = await from.serviceFile('/Welcome.txt', { ...ask(), forAccount: to.account });
  const refusal = (tag: string) =>
    ({ kind: 'reply', reply: { status: 409, json: { error_summary: `${tag}/..`, error: { '.tag': tag } } } }) as const;
  for (const tag of ['no_permission', 'invalid_copy_reference', 'not_found']) {
    simulator.faults.next('POST /2/files/copy_reference/save', 1, refusal(tag));
    await assert.rejects(to.copyFrom(file, '/Noor Example/copy.txt', ask()), { kind: 'unsupported' }, tag);
  }
  const restricted = { '.tag': 'path', path: { '.tag': 'restricted_content' } };
  simulator.faults.next('POST /2/files/copy_reference/get', 1, {
    kind: 'reply',
    reply: { status: 409, json: { error_summary: 'path/restricted_content/..', error: restricted } },
  });
  await assert.rejects(from.serviceFile('/Welcome.txt', { ...ask(), forAccount: to.account }), { kind: 'unsupported' });
});
