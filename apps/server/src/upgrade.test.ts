import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createMemorySource } from '@sheaf/connectors/memory';
import {
  emailLogin,
  isSession,
  limitTransfer,
  linkUriOf,
  listAgentPlans,
  listAgents,
  listAppPasswords,
  listChanges,
  listEncryption,
  listOrgs,
  listSchedules,
  listSpaces,
  makeToken,
  oneTransfer,
  openWeblink,
  remoteUpdate,
  secondFactor,
  showDirectory,
  getWeblinks,
} from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { readConfig } from '#/platform/config/config.ts';
import { withSnapshot } from '#/platform/db/copies/snapshot.ts';
import { tablesOf } from '#/platform/db/copies/tables.ts';
import { openDatabase } from '#/platform/db/database.ts';
import { migrations } from '#/platform/db/migrations/index.ts';
import { secretPlace } from '#/secrets/reseal.ts';
import { createVault } from '#/secrets/vault.ts';
import { testApp } from '#/testing/app.ts';
import { testEngine } from '#/testing/database.ts';
import { rowsOf } from '#/testing/links.ts';
import { codeAt } from '#/testing/second-factors.ts';
import { openState } from '#/testing/states/open-state.ts';
import { type State, keptStates, schemaDigest } from '#/testing/states/state-file.ts';
import { carried, contentOf, otherFiles, password, people, s3Secret, secretKey, sharePassword } from '#/testing/states/story.ts';

const states = keptStates();

/** Columns, as `table.column`, that a later migration rewrites or takes away on purpose. */
const rewritten: ReadonlySet<string> = new Set();

/** Rows of each table as text, of the given columns. */
type Rows = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads the columns of the state's tables, in which its rows must still be. */
async function rowsLike(state: State, settings: { SHEAF_DATA_DIR: string; SHEAF_DATABASE_URL: string }): Promise<Rows> {
  const found = new Map<string, Set<string>>();
  const wanted = new Map(state.tables.map(({ table, columns }) => [table, columns]));
  await withSnapshot({ dataDir: settings.SHEAF_DATA_DIR, databaseUrl: settings.SHEAF_DATABASE_URL }, async ({ batches }) => {
    for await (const { table, columns, rows } of batches) {
      const places = wanted.get(table)?.map((column) => (rewritten.has(`${table}.${column}`) ? -1 : columns.indexOf(column)));
      if (!places) continue;
      const set = found.get(table) ?? new Set<string>();
      found.set(table, set);
      for (const row of rows) set.add(JSON.stringify(places.map((place) => row[place])));
    }
  });
  return found;
}

for (const state of states) {
  test(`a database left by the version of ${state.name} keeps every row and value when its tables change`, async (t) => {
    const settings = await openState(t, state);
    if (testEngine === 'sqlite') {
      const digest = await withSnapshot({ dataDir: settings.SHEAF_DATA_DIR, databaseUrl: '' }, ({ query }) => schemaDigest(query));
      assert.equal(digest, state.schema, 'a migration that was released makes other tables than it did: it must not be changed');
    }
    const { close } = await openDatabase({ ...readConfig(settings), onLostConnection: (error) => assert.fail(error) });
    await close();
    const found = await rowsLike(state, settings);
    for (const { table, columns, rows } of state.tables)
      for (const row of rows) {
        const kept = JSON.stringify(row.map((value, index) => (rewritten.has(`${table}.${columns[index]}`) ? undefined : value)));
        assert.ok(found.get(table)?.has(kept), `${table} has lost ${kept}`);
      }
  });

  test(`people go on where the version of ${state.name} ended: accounts, secrets, shares, Spaces, and the transfer that was under way`, async (t) => {
    const { app, user, secrets, known } = await upgraded(t, state);
    const mara = await user(people.mara);
    assert.deepEqual((await rowsOf(mara)).map(({ name }) => name).toSorted(), ['Attic', 'My Dropbox', 'NAS', 'Photos', 'Team']);
    // Without its limit: as it was, it would take minutes, and other calls of its link would wait.
    const transferId = known('transferId');
    await mara.ask(limitTransfer, { transferId });
    const transfer = () => mara.ask(oneTransfer, { transferId });
    await eventually(async () => (await transfer()).state === 'done', 'the transfer has ended');
    const { itemsDone, itemsFailed, bytesDone, bytesTotal } = await transfer();
    assert.deepEqual([itemsDone, itemsFailed, bytesDone], [carried.length, 0, bytesTotal]);
    const opened = await secrets();
    assert.deepEqual(opened.map(([field]) => field).toSorted(), ['grant', 'password', 'password', 'secret']);
    assert.ok(opened.some(([, secret]) => secret === s3Secret));
    const folder = await mara.ask(remoteUpdate, {
      linkUri: linkUriOf(known('nas'), '/origin'),
      fresh: true,
      refresh: true,
      limit: 50,
      sort: 'name',
      order: 'asc',
    });
    assert.deepEqual(folder.items.map(({ name }) => name).toSorted(), [...carried].toSorted());

    assert.equal((await app.visitor().ask(openWeblink, { weblinkId: known('openShare') })).name, 'report.txt');
    assert.notEqual((await app.visitor().refusal(openWeblink, { weblinkId: known('folderShare') })).status, 200);
    assert.equal((await app.visitor().ask(openWeblink, { weblinkId: known('folderShare'), password: sharePassword })).name, 'origin');
    assert.equal((await mara.ask(getWeblinks, {})).length, 4);

    const eve = await user(people.eve);
    for (const someone of [mara, eve]) {
      assert.deepEqual(
        (await someone.ask(listSpaces, {})).spaces.map(({ name }) => name),
        ['Team'],
      );
      assert.deepEqual(
        (await someone.ask(listOrgs, {})).orgs.map(({ name }) => name),
        ['Acme'],
      );
    }
    const noor = app.visitor();
    const step = await noor.ask(emailLogin, { email: people.noor, password });
    assert.ok('secondFactor' in step);
    const code = codeAt(known('totpSecret'), app.services.now());
    assert.ok(isSession(await noor.ask(secondFactor, { ticket: step.secondFactor.ticket, code })));
    assert.equal((await app.visitor().ask(makeToken, { authCode: known('authCode') })).loginAccount, people.mara);

    const [nightly] = (await mara.ask(listSchedules, {})).schedules;
    assert.deepEqual([nightly?.name, nightly?.timezone], ['Nightly', 'Europe/Vienna']);
    const knows = (migration: string): boolean => state.migrations.includes(migration);
    if (knows('070-journal')) {
      const { changes } = await mara.ask(listChanges, { offset: 0, limit: 50 });
      assert.deepEqual(
        changes.flatMap(({ kind, name }) => (kind === 'copy' ? [] : [[kind, name]])),
        [
          ['delete', 'trash.txt'],
          ['rename', 'holiday.txt'],
        ],
      );
    }
    if (knows('063-vaults'))
      assert.deepEqual(
        (await mara.ask(listEncryption, {})).folders.map(({ wrapped }) => wrapped),
        ['sealed by a browser'],
      );
    // What the later acts of a state leave: see testing/states/later-acts.ts.
    if (knows('111-device-requests')) {
      assert.deepEqual(
        (await mara.ask(listAgents, {})).agents.map(({ name }) => name),
        ['Test agent'],
      );
      assert.equal((await mara.ask(listAgentPlans, { limit: 50 })).plans.length, 1);
      assert.equal((await mara.ask(listEncryption, {})).folders[0]?.passkeys[0]?.sealed, 'sealed by a passkey');
      assert.equal((await eve.ask(listAppPasswords, {})).appPasswords[0]?.sshKey?.kind, 'ssh-ed25519');
      const [org] = (await mara.ask(listOrgs, {})).orgs;
      const { tokens, groups, people: counts } = await mara.ask(showDirectory, { orgOid: org?.orgOid ?? '' });
      assert.deepEqual([tokens[0]?.name, groups[0]?.name, groups[0]?.members, counts], ['Entra', 'Drivers', 1, 1]);
    }
    if (knows('050-app-passwords')) {
      assert.deepEqual(
        (await mara.ask(listAppPasswords, {})).appPasswords.map(({ name }) => name),
        ['Phone'],
      );
      const authorization = `Basic ${Buffer.from(`${known('appUser')}:${known('appPassword')}`).toString('base64')}`;
      const address = await app.app.listen({ host: '127.0.0.1', port: 0 });
      const file = await fetch(`${address}/dav/NAS/report.txt`, { headers: { authorization } });
      assert.equal(await file.text(), contentOf('/report.txt'));
    }
  });
}

/** Today's program on a database that an earlier version left, with the storages that its links led to. */
async function upgraded(t: TestContext, state: State) {
  const settings = await openState(t, state);
  const source = createMemorySource();
  for (const path of [...carried.map((name) => `/origin/${name}`), ...otherFiles]) source.put(path, contentOf(path));
  source.put('/target/one.txt', contentOf('/origin/one.txt'));
  const app = await testApp(t, { settings, now: () => state.madeAt + 300, findDefinition: async () => source.definition });
  if (state.migrations.length < migrations.length)
    assert.match((await readdir(join(settings.SHEAF_DATA_DIR, 'backups'))).join(), /-upgrade\.backup$/);
  return {
    app,
    known(name: string): string {
      const value = state.known[name];
      assert.ok(value !== undefined, name);
      return value;
    },
    async user(email: string) {
      const visitor = app.visitor();
      const session = await visitor.ask(emailLogin, { email, password });
      assert.ok(isSession(session));
      const account = await app.services.accounts.findByEmail(email);
      assert.ok(account);
      return { ...visitor, email, password, session, userId: account.id };
    },
    /** All secrets of links, opened, by field. */
    async secrets(): Promise<readonly (readonly [string, string])[]> {
      const vault = createVault(Buffer.from(secretKey, 'base64'), []);
      const rows = await app.services.db.selectFrom('link_secret').select(['linkId', 'field', 'sealed']).execute();
      return rows.map(({ linkId, field, sealed }) => [field, vault.open(secretPlace(linkId, field), sealed)] as const);
    },
  };
}

/** Tables without a row in the newest state, and why. */
const withoutRows: Readonly<Record<string, string>> = {
  account_picture: 'needs a provider with pictures',
  knowledge_refusal: 'a folder that could not be crawled, and crawling is off while a state is recorded',
  link_arrival: 'the folders of a link that a source changed by itself',
  link_hint: 'needs an address that services on the internet reach',
  link_knowledge: 'needs crawling',
  link_notice: 'a link that has failed for days',
  name_claim: 'held for the moment of a write',
  parked_grant: 'a grant that was given before its person signed in',
  purchase_intent: 'held for the moment of a purchase',
  signUp: 'needs a mail server',
  transferSpeed: 'written when a transfer ends, and the one of the state is under way',
  trial_notice: 'the end of a trial',
  webAddress: 'needs a server on the web',
  weblinkDownload: 'a download of a share with a limit',
};

test('the newest state has a row in each table that copies carry, so that a migration is tried on each', async (t) => {
  const newest = states.at(-1);
  assert.ok(newest);
  const settings = await openState(t, newest);
  const tables = await withSnapshot({ dataDir: settings.SHEAF_DATA_DIR, databaseUrl: settings.SHEAF_DATABASE_URL }, async ({ query }) =>
    (await tablesOf(testEngine, query)).map(({ name }) => name),
  );
  const filled = new Set(newest.tables.map(({ table }) => table));
  assert.deepEqual(
    tables.filter((name) => !filled.has(name)).toSorted(),
    Object.keys(withoutRows),
    'a new feature needs its act in testing/states, or a reason here why it has none',
  );
});

/** Migrations that may follow the last state that is kept: each of them is tried with its rows. */
const mostAfterState = 5;

test('a state of the tables is kept after each few migrations', () => {
  const newest = states.at(-1);
  const later = migrations.filter(({ name }) => !newest?.migrations.includes(name)).map(({ name }) => name);
  assert.ok(
    later.length <= mostAfterState,
    `${later.join(', ')} came after the last state: run "npm run record-state" once they have landed, and commit the file that it writes`,
  );
});
