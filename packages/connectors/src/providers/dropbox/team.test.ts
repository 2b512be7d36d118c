import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Dropbox, startDropbox } from '@sheaf/testbed';
import type { Connector } from '../../core/connector.ts';
import { ask, openAs, openTeam } from './testing/link.ts';

async function started(t: TestContext): Promise<Dropbox> {
  const simulator = await startDropbox();
  t.after(async () => {
    await simulator.stop();
    simulator.assertClean();
  });
  return simulator;
}

const names = async (connector: Connector, path: string): Promise<string[]> =>
  (await Array.fromAsync(connector.list(path, ask())))
    .flat()
    .map(({ name }) => name)
    .sort();

test('a team link shows the team space as its administrator sees it', async (t) => {
  const simulator = await started(t);
  const team = await openTeam(simulator);
  assert.deepEqual(await names(team, '/'), ['All hands', 'Noor Example']);
  assert.deepEqual(await names(team, '/All hands'), ['Agenda.txt']);
  await assert.rejects(team.stat('/Only Otto', ask()), { kind: 'notFound' });
  await team.close();
});

test("a team member's link shows the team's folders next to the member's own, other links do not", async (t) => {
  const simulator = await started(t);
  const otto = await openAs(simulator, 'otto@example.org');
  assert.deepEqual(await names(otto, '/'), ['All hands', 'Only Otto', 'Otto Example']);
  const mara = await openAs(simulator, 'mara@example.org');
  assert.deepEqual(await names(mara, '/'), ['Photos', 'Plans', 'Welcome.txt']);
  await Promise.all([otto.close(), mara.close()]);
});

test('a team space whose root has changed is found again, and usage is that of the team', async (t) => {
  const simulator = await started(t);
  const team = await openTeam(simulator);
  assert.deepEqual(await names(team, '/All hands'), ['Agenda.txt']);
  simulator.people.moveRoot();
  assert.deepEqual(await names(team, '/All hands'), ['Agenda.txt']);
  const refusals = simulator.requests.filter(({ status }) => status === 422).length;
  assert.deepEqual(await names(team, '/'), ['All hands', 'Noor Example']);
  assert.deepEqual([refusals, simulator.requests.filter(({ status }) => status === 422).length], [1, 1]);
  const { used = 0, total } = (await team.usage?.(ask())) ?? {};
  assert.equal(total, simulator.state.quota);
  assert.ok(used > 0);
  await team.close();
});
