import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  confirmAgentPlan,
  getMetadata,
  getWeblinks,
  listAgentPlans,
  listAudit,
  oneTransfer,
  refuseAgentPlan,
  remoteUpdate,
  search,
  startTransfer,
} from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { agentApp } from './testing/agent-app.ts';
import { agentProvider, call, letIn, refused } from './testing/agent-client.ts';

test("the SDK's client discovers how to sign in, reads and writes within its folders, and all of it is logged", async (t) => {
  const { url, user, uri } = await agentApp(t);
  const { client, close } = await letIn(url, user, { linkUri: [uri('/Photos')], rights: 'write' });
  t.after(close);
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    [
      'list_links',
      'list_folder',
      'search',
      'read_text',
      'get_address',
      'create_folder',
      'write_text',
      'plan_transfer',
      'plan_delete',
      'plan_share',
      'plan_status',
    ],
  );
  assert.deepEqual((await call(client, 'list_links'))['links'], [
    { name: 'NAS', path: '/NAS', folders: ['/NAS/Photos'], page: `${url}/browse/NAS` },
  ]);
  const way = await call(client, 'list_folder', { path: '/NAS' });
  assert.deepEqual(way['items'], [{ name: 'Photos', path: '/NAS/Photos', type: 'folder' }]);
  const listed = await call(client, 'list_folder', { path: '/NAS/Photos' });
  assert.deepEqual(
    (listed['items'] as { name: string; size: number }[]).map(({ name, size }) => [name, size]),
    [
      ['a.txt', 5],
      ['größe.txt', 80_000],
      ['picture.bin', 4],
    ],
  );
  const found = async () => ((await call(client, 'search', { query: 'txt' }))['items'] as { path: string }[]).map(({ path }) => path);
  // A listing is stored after its answer.
  await eventually(async () => (await found()).length === 2, 'the search finds both');
  assert.deepEqual((await found()).toSorted(), ['/NAS/Photos/a.txt', '/NAS/Photos/größe.txt']);

  assert.equal((await call(client, 'read_text', { path: '/NAS/Photos/a.txt' }))['text'], 'hello');
  assert.equal((await call(client, 'read_text', { path: '/NAS/Photos/picture.bin' }))['isText'], false);
  // Parts end with whole characters, and together they are the file.
  let text = '';
  for (let offset: unknown = 0; offset !== undefined;) {
    const part = await call(client, 'read_text', { path: '/NAS/Photos/größe.txt', offset, maxBytes: 32_767 });
    text += part['text'] as string;
    offset = part['nextOffset'];
  }
  assert.equal(text, 'ä'.repeat(40_000));

  await call(client, 'create_folder', { path: '/NAS/Photos/2026' });
  await call(client, 'write_text', { path: '/NAS/Photos/2026/notes.md', text: '# Grüße' });
  assert.equal((await user.ask(getMetadata, { linkUri: uri('/Photos/2026/notes.md') })).size, 9);
  assert.match(await refused(client, 'write_text', { path: '/NAS/Photos/a.txt', text: 'gone' }), /a\.txt/);
  assert.match(await refused(client, 'read_text', { path: 7 }), /do not fit/);
  assert.equal((await call(client, 'get_address', { path: '/NAS/Photos/a.txt' }))['page'], `${url}/browse/NAS/Photos/a.txt`);

  const { entries } = await user.ask(listAudit, { limit: 200 });
  const did = entries.filter(({ action }) => action.startsWith('agent.')).map(({ sentence }) => sentence);
  for (const sentence of [
    'let the agent Test agent into 1 folder, to read and write',
    'let Test agent list the links',
    'let Test agent list /NAS/Photos',
    'let Test agent search for txt',
    'let Test agent read /NAS/Photos/a.txt',
    'let Test agent make the folder /NAS/Photos/2026',
    'let Test agent write /NAS/Photos/2026/notes.md',
  ])
    assert.ok(did.includes(sentence), `${sentence} is in the log: ${did.join('; ')}`);
});

test('an agent never leaves its folders, whatever it names', async (t) => {
  const { url, user, uri } = await agentApp(t);
  const { client, close } = await letIn(url, user, { linkUri: [uri('/Photos')], rights: 'write' });
  t.after(close);
  // What the owner has seen is stored, and must not be found by the agent.
  await user.ask(remoteUpdate, { linkUri: uri('/Private'), sort: 'name', order: 'asc', fresh: true, refresh: true, limit: 25 });
  const owned = async () => (await user.ask(search, { query: 'secret', offset: 0, limit: 50 })).items.length;
  await eventually(async () => (await owned()) === 1, 'the owner finds it');
  const outside = [
    '/NAS/Private/secret.txt',
    '/NAS/Photos/../Private/secret.txt',
    '/NAS/Photos/..\\Private\\secret.txt',
    '/NAS/Photos/%2e%2e/Private/secret.txt',
    '/NAS/Photos/./../Private/secret.txt',
    '/NAS/PhotosX',
    '/NAS/photos/../../etc/passwd',
    '/NAS/Photos/\0/../../Private/secret.txt',
    '//NAS//Private//secret.txt',
    '/Other/Private',
    '..',
  ];
  for (const path of outside) {
    for (const tool of ['list_folder', 'read_text', 'get_address', 'create_folder', 'plan_share'])
      assert.doesNotMatch(await refused(client, tool, { path }), /not for agents/, `${tool} ${path}`);
    await refused(client, 'write_text', { path, text: 'x' });
    await refused(client, 'plan_delete', { paths: [path] });
    await refused(client, 'plan_transfer', { kind: 'copy', paths: [path], to: '/NAS/Photos' });
    await refused(client, 'plan_transfer', { kind: 'copy', paths: ['/NAS/Photos/a.txt'], to: path });
  }
  await refused(client, 'plan_delete', { paths: ['/NAS'] });
  assert.deepEqual((await call(client, 'search', { query: 'secret' }))['items'], []);
  const { entries } = await user.ask(listAudit, { limit: 200 });
  assert.ok(entries.some(({ sentence }) => sentence === 'kept Test agent from /NAS/Private/secret.txt'));
  assert.deepEqual((await user.ask(listAgentPlans, { limit: 50 })).plans, []);
});

test('an agent that may only read sees no tool that writes, and cannot call one', async (t) => {
  const { url, user } = await agentApp(t);
  const { client, close } = await letIn(url, user, { linkUri: [], rights: 'read' });
  t.after(close);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  assert.deepEqual(names, ['list_links', 'list_folder', 'search', 'read_text', 'get_address']);
  await assert.rejects(client.callTool({ name: 'write_text', arguments: { path: '/NAS/Photos/new.txt', text: 'x' } }));
});

test('copies, deletions and shares are plans that a person starts or refuses', async (t) => {
  const { url, user, uri, signUp } = await agentApp(t);
  const { client, close } = await letIn(url, user, { linkUri: [], rights: 'write' });
  t.after(close);
  const transfer = await call(client, 'plan_transfer', {
    kind: 'move',
    paths: ['/NAS/Photos/a.txt'],
    to: '/NAS/Target',
    reason: 'to tidy up',
  });
  const removal = await call(client, 'plan_delete', { paths: ['/NAS/Private', '/NAS/Photos/picture.bin'], reason: 'old' });
  const share = await call(client, 'plan_share', { path: '/NAS/Target/x.txt' });
  const no = await call(client, 'plan_delete', { paths: ['/NAS/Target'] });
  const { plans, waiting } = await user.ask(listAgentPlans, { limit: 50 });
  assert.equal(waiting, 4);
  const planOf = ({ planId }: Record<string, unknown>) => plans.find((plan) => plan.planId === planId);
  assert.deepEqual(
    planOf(removal)?.items.map(({ path }) => path),
    ['/NAS/Private', '/NAS/Photos/picture.bin'],
  );
  assert.deepEqual([planOf(removal)?.reason, planOf(removal)?.agentName], ['old', 'Test agent']);
  // Nothing has happened yet.
  for (const path of ['/Photos/a.txt', '/Private/secret.txt', '/Target/x.txt']) await user.ask(getMetadata, { linkUri: uri(path) });
  assert.deepEqual(await user.ask(getWeblinks, {}), []);

  const stranger = await signUp();
  assert.equal((await stranger.refusal(confirmAgentPlan, { planId: String(removal['planId']) })).messageCode, 'AGENT_PLAN_DECIDED');

  await user.ask(startTransfer, { transferId: planOf(transfer)?.transferId ?? '' });
  const done = async () => (await user.ask(oneTransfer, { transferId: planOf(transfer)?.transferId ?? '' })).state === 'done';
  await eventually(done, 'the transfer is done');
  assert.equal((await call(client, 'plan_status', { planId: transfer['planId'] }))['state'], 'done');

  const [first, second] = await Promise.all([
    user.send(confirmAgentPlan, { planId: String(removal['planId']) }),
    user.send(confirmAgentPlan, { planId: String(removal['planId']) }),
  ]);
  assert.deepEqual(new Set([first.statusCode, second.statusCode]), new Set([200, 409]));
  for (const path of ['/Private/secret.txt', '/Photos/picture.bin'])
    assert.equal((await user.refusal(getMetadata, { linkUri: uri(path) })).messageCode, 'ITEM_NOT_FOUND');

  const { plan: shared } = await user.ask(confirmAgentPlan, { planId: String(share['planId']) });
  assert.equal((await call(client, 'plan_status', { planId: share['planId'] }))['address'], shared.sharelinkurl);
  assert.equal((await user.ask(getWeblinks, {})).length, 1);

  assert.equal((await user.ask(refuseAgentPlan, { planId: String(no['planId']) })).state, 'refused');
  assert.equal((await user.refusal(confirmAgentPlan, { planId: String(no['planId']) })).messageCode, 'AGENT_PLAN_DECIDED');
  assert.equal((await call(client, 'plan_status', { planId: no['planId'] }))['state'], 'refused');
  await user.ask(getMetadata, { linkUri: uri('/Target/x.txt') });
});

test('a deletion is refused when the file has changed since it was planned', async (t) => {
  const { url, user, uri, source } = await agentApp(t);
  const { client, close } = await letIn(url, user, { linkUri: [], rights: 'write' });
  t.after(close);
  const { planId } = await call(client, 'plan_delete', { paths: ['/NAS/Photos/a.txt'] });
  source.put('/Photos/a.txt', 'something else');
  const { plan } = await user.ask(confirmAgentPlan, { planId: String(planId) });
  assert.equal(plan.state, 'failed');
  assert.match(plan.problem ?? '', /a\.txt/);
  await user.ask(getMetadata, { linkUri: uri('/Photos/a.txt') });
});

test('calls in one request are each counted', async (t) => {
  const app = await agentApp(t);
  const agent = agentProvider();
  const { close } = await letIn(app.url, app.user, { linkUri: [], rights: 'read' }, agent);
  const batch = Array.from({ length: 100 }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'list_links', arguments: {} },
  }));
  const refusals: number[] = [];
  for (let request = 0; request < 4; request++) {
    const answer = await fetch(`${app.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${agent.tokens()?.access_token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-03-26',
      },
      body: JSON.stringify(batch),
    });
    refusals.push((await answer.text()).match(/Too many attempts/g)?.length ?? 0);
  }
  assert.deepEqual(refusals, [0, 0, 0, 100]);
  await close();
});
