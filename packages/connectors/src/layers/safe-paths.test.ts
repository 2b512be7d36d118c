import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { isSegment } from '@sheaf/contract';
import fc from 'fast-check';
import { ConnectorError } from '../core/error.ts';
import { nameOf, partialPathOf } from '../kit/names/path.ts';
import { createMemorySource } from '../providers/memory/index.ts';
import { layered } from './layered.ts';
import { safePaths } from './safe-paths.ts';

const ask = { signal: new AbortController().signal };
const refuse = () => Promise.reject(new ConnectorError('unreachable', 'memory needs no network'));
const env = { dialer: { connect: refuse, upgrade: refuse }, remember: async () => undefined, recall: async () => undefined };

test('no source is asked for a name with half a surrogate pair, in any call', async () => {
  const asked: string[] = [];
  const source = createMemorySource({ gate: (operation, path) => void asked.push(`${operation} ${path}`) });
  source.put('/file', 'x');
  const connector = layered(await source.definition.open({}, env), safePaths());
  const half = '\ud83d';
  const body = Readable.from([Buffer.from('x')]);
  const calls: Readonly<Record<string, () => Promise<unknown> | undefined>> = {
    list: () => Array.fromAsync(connector.list(`/${half}`, ask)),
    stat: () => connector.stat(`/${half}/file`, ask),
    read: () => connector.read(`/${half}`, ask),
    write: () => connector.write?.(`/${half}`, body, { ...ask, ifExists: 'replace' }),
    createFolder: () => connector.createFolder?.(`/${half}`, ask),
    rename: () => connector.rename?.('/file', half, ask),
    move: () => connector.move?.('/file', `/${half}`, ask),
    copy: () => connector.copy?.('/file', `/${half}`, ask),
    remove: () => connector.remove?.(`/${half}`, ask),
  };
  for (const [operation, call] of Object.entries(calls)) await assert.rejects(async () => call(), { kind: 'badName' }, operation);
  assert.ok(body.destroyed);
  assert.deepEqual(asked, []);
  assert.equal((await connector.stat('/file', ask)).name, 'file');
});

/** A source that answers every call, records the requested paths, and lists the given names. */
async function recording(names: readonly string[] = []) {
  const source = createMemorySource();
  const asked: string[] = [];
  const inner = await source.definition.open({}, env);
  const entry = { name: 'x', kind: 'file' } as const;
  const answer = async (...paths: readonly string[]) => {
    asked.push(...paths);
    return entry;
  };
  const connector = layered(
    {
      ...inner,
      async *list(path) {
        asked.push(path);
        yield names.map((name) => ({ ...entry, name }));
      },
      stat: (path) => answer(path),
      lstat: (path) => answer(path),
      createFolder: (path) => answer(path),
      rename: (path, newName) => answer(path, `/${newName}`),
      move: (from, to) => answer(from, to),
      copy: (from, to) => answer(from, to),
      async readMany(files) {
        asked.push(...files.map(({ path }) => path));
        throw new ConnectorError('unsupported', 'only recorded');
      },
    },
    safePaths(),
  );
  return { connector, asked };
}

test('only paths of plain segments reach a source, in any call', async () => {
  const { connector, asked } = await recording();
  const unit = fc.oneof(fc.constantFrom('.', '.', '/', '/', '\\', '\0', 'a', '\ud83d'), fc.string({ minLength: 1, maxLength: 1 }));
  const text = fc.array(unit, { maxLength: 10 }).map((units) => units.join(''));
  await fc.assert(
    fc.asyncProperty(text, text, async (one, other) => {
      await Promise.allSettled([
        Array.fromAsync(connector.list(one, ask)),
        connector.stat(`/${one}`, ask),
        connector.lstat?.(`/a/${one}`, ask),
        connector.createFolder?.(`/${one}`, ask),
        connector.rename?.(`/${one}`, other, ask),
        connector.move?.(`/${one}`, `/${other}`, ask),
        connector.copy?.(`/${one}`, other, ask),
        connector.readMany?.(
          [
            { path: '/a', size: 1 },
            { path: `/${one}`, size: 1 },
          ],
          ask,
        ),
      ]);
    }),
    { numRuns: 1000 },
  );
  assert.ok(asked.length > 500);
  for (const path of asked) assert.ok(path === '/' || path.slice(1).split('/').every(isSegment), JSON.stringify(path));
});

test('listed names that lead elsewhere are rejected; half a surrogate pair is shown', async () => {
  const { connector } = await recording(['a', '..', '.', '', 'b/c', '../d', 'e\0', '..\\f', '.. ', '/', 'g\ud83d', '...']);
  const names = (await Array.fromAsync(connector.list('/', ask))).flat().map(({ name }) => name);
  assert.deepEqual(names, ['a', 'g\ud83d', '...']);
});

test('the temporary files of uploads are neither listed nor found, nor reported as changes', async () => {
  const source = createMemorySource();
  const inner = await source.definition.open({}, env);
  const names = ['a', partialPathOf('/a').slice(1), 'my.sheaf-partial-notes'];
  const entry = (name: string) => ({ name, kind: 'file' }) as const;
  const found = names.map((name) => ({ path: `/folder/${name}`, entry: entry(name) }));
  const connector = layered(
    {
      ...inner,
      async *list() {
        yield names.map(entry);
      },
      async *search() {
        yield found;
      },
      changes: async () => ({ cursor: '1', items: found, incomplete: false }),
    },
    safePaths(),
  );
  const shown = ['a', 'my.sheaf-partial-notes'];
  const listed = (await Array.fromAsync(connector.list('/folder', ask))).flat();
  assert.deepEqual(
    listed.map(({ name }) => name),
    shown,
  );
  const hits = (await Array.fromAsync(connector.search?.('/', { ...ask, query: 'a' }) ?? [])).flat();
  assert.deepEqual(
    hits.map(({ path }) => nameOf(path)),
    shown,
  );
  const changed = await connector.changes?.('0', ask);
  assert.deepEqual(
    changed?.items.map(({ path }) => nameOf(path)),
    shown,
  );
});

test('no path and no new name leads into the hidden bin, however a server compares names, and no listing shows it', async () => {
  const source = createMemorySource();
  source.put('/.sheaf-bin/2026-11-25/key-secret', 'x');
  source.put('/other', 'y');
  const connector = layered(await source.definition.open({}, env), safePaths());
  const names = [
    '.sheaf-bin',
    '.SHEAF-BIN',
    '.sheaf-bin.',
    '.sheaf-bin ',
    '.\u017fheaf-bin',
    '.she\u200caf-bin',
    '．sheaf-bin',
    'SHEAF-~1',
    '.sheaf-bin:x',
  ];
  for (const name of names) {
    await assert.rejects(connector.stat(`/${name}/2026-11-25/key-secret`, ask), { kind: 'notFound' }, name);
    await assert.rejects(connector.move?.('/other', `/${name}`, ask) ?? refuse(), { kind: 'badName' }, name);
    await assert.rejects(connector.rename?.('/other', name, ask) ?? refuse(), { kind: 'badName' }, name);
  }
  await assert.rejects(connector.remove?.('/.sheaf-bin', ask) ?? refuse(), { kind: 'notFound' });
  const listed = (await Array.fromAsync(connector.list('/', ask))).flat();
  assert.deepEqual(
    listed.map(({ name }) => name),
    ['other'],
  );
  for (const name of ['sheaf-bin', 'my.sheaf-bin', '.sheaf-bin-2', 'Sheaf~1'])
    await connector.rename?.('/other', name, ask).then(() => connector.rename?.(`/${name}`, 'other', ask));
});
