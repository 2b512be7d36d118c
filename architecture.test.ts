import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const contract = 'packages/contract/src';
const connectors = 'packages/connectors/src';
const testbed = 'packages/testbed/src';
const server = 'apps/server/src';
const web = 'apps/web/src';

/** room → the rooms it may import. A file's room is the longest of these that its path begins with. docs/architecture.md says why. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  [contract]: [],
  [`${connectors}/core`]: [contract],
  [`${connectors}/kit`]: [`${connectors}/core`],
  [`${connectors}/layers`]: [`${connectors}/core`],
  [`${connectors}/conformance`]: [`${connectors}/core`, `${connectors}/kit`],
  [`${connectors}/providers`]: [contract, `${connectors}/core`, `${connectors}/kit`],
  [connectors]: [contract, `${connectors}/core`, `${connectors}/kit`, `${connectors}/layers`, `${connectors}/providers`],
  [testbed]: [],
  [`${server}/http`]: [contract],
  [`${server}/db`]: [contract],
  [`${server}/platform/jobs`]: [contract, `${server}/db`],
  [`${server}/connections`]: [contract, connectors, `${server}/db`],
  [server]: [contract, connectors, `${server}/http`, `${server}/db`, `${server}/platform/jobs`, `${server}/connections`],
  [`${web}/lib`]: [contract],
  [`${web}/ui`]: [],
  [`${web}/features`]: [contract, `${web}/lib`, `${web}/ui`],
  [web]: [contract, `${web}/features`, `${web}/lib`, `${web}/ui`],
  'apps/fileserver/src': [],
  'apps/cli/src': [contract],
  e2e: [contract, testbed],
  bench: [contract, testbed],
};
/** Every folder in these is a room of its own: no provider knows another, no feature knows another. */
const cells = [`${connectors}/providers`, `${web}/features`];
/** In these a file says more by its name: a service knows neither HTTP nor SQL, only a store knows SQL. */
const forbiddenPackages: readonly { files: RegExp; packages: RegExp; why: string }[] = [
  { files: /^packages\/contract\/src\//, packages: /^node:/, why: 'the contract runs in the browser' },
  { files: /^apps\/server\/src\/[^/]+\/service\.ts$/, packages: /^(fastify|kysely|@fastify)/, why: 'a service knows no HTTP and no SQL' },
  { files: /^apps\/server\/src\/[^/]+\/(routes|service)\.ts$/, packages: /^(kysely|node:sqlite|pg)$/, why: 'only a store knows SQL' },
  { files: /^packages\/connectors\/src\/(core|layers)\//, packages: /^(ssh2|basic-ftp)/, why: 'vendor libraries belong to providers' },
];

const byLength = Object.keys(rooms).sort((a, b) => b.length - a.length);
const roomOf = (path: string): string => byLength.find((room) => path.startsWith(`${room}/`)) ?? 'outside';
const cellOf = (path: string, room: string): string =>
  cells.includes(room)
    ? path
        .split('/')
        .slice(0, room.split('/').length + 1)
        .join('/')
    : room;

const workspaceFolders: Readonly<Record<string, string>> = Object.fromEntries(
  globSync(['{apps,packages}/*/package.json', '{e2e,bench}/package.json']).map((path) => [readManifest(path).name, dirname(path)]),
);

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
}

function fileOf(specifier: string, importer: string): string {
  if (specifier.startsWith('.')) return join(dirname(importer), specifier);
  if (specifier.startsWith('#/')) return specifier.replace('#', `${importer.split('/').slice(0, 2).join('/')}/src`);
  const name = packageOf(specifier);
  const folder = workspaceFolders[name];
  if (folder === undefined) return specifier;
  const rest = specifier.slice(name.length + 1);
  return join(folder, 'src', rest === '' ? 'index.ts' : `${rest}/index.ts`);
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
const isTest = (path: string): boolean => /(\.test\.tsx?$|\/testing\/|\/conformance\/|^e2e\/|^bench\/|^packages\/testbed\/)/.test(path);
const imports = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/^(?:import|export)\b[^'"]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );

const files = globSync(['{apps,packages}/*/src/**/*.{ts,tsx}', '{e2e,bench}/**/*.ts'], { exclude: ['**/node_modules/**', '**/dist/**'] });

test('every import goes where the table allows', () => {
  const broken = files
    .filter((path) => !/\.test\.tsx?$|\/testing\//.test(path))
    .flatMap((importer) => {
      const room = roomOf(importer);
      return imports(importer).flatMap((specifier) => {
        const file = fileOf(specifier, importer);
        const to = roomOf(file);
        const allowed = to === 'outside' || cellOf(file, to) === cellOf(importer, room) || rooms[room]?.includes(to);
        return allowed ? [] : [`${importer} must not import ${specifier}`];
      });
    });
  assert.deepEqual(broken, []);
});

test('no file imports a package that its room must not know', () => {
  const broken = files
    .filter((path) => !isTest(path))
    .flatMap((path) =>
      forbiddenPackages
        .filter(({ files: pattern }) => pattern.test(path))
        .flatMap(({ packages, why }) =>
          imports(path).flatMap((specifier) => (packages.test(specifier) ? [`${path} imports ${specifier}: ${why}`] : [])),
        ),
    );
  assert.deepEqual(broken, []);
});

test('every imported package is declared by the workspace that imports it', () => {
  const broken = files.flatMap((path) => {
    const manifest = readManifest(
      join(
        path
          .split('/')
          .slice(0, path.startsWith('e2e') || path.startsWith('bench') ? 1 : 2)
          .join('/'),
        'package.json',
      ),
    );
    const declared = {
      ...manifest.dependencies,
      ...(isTest(path) ? manifest.devDependencies : {}),
      ...(path.startsWith(web) ? manifest.devDependencies : {}),
    };
    return imports(path).flatMap((specifier) => {
      const outside = !specifier.startsWith('.') && !specifier.startsWith('#/') && !specifier.startsWith('node:');
      return outside && !(packageOf(specifier) in declared) && packageOf(specifier) !== manifest.name
        ? [`${path} imports ${specifier}`]
        : [];
    });
  });
  assert.deepEqual([...new Set(broken)], []);
});

test('a folder of a provider has the five files every provider has', () => {
  const wanted = ['index.ts', 'connector.ts', 'api.ts', 'errors.ts', 'connector.test.ts'];
  const broken = globSync(`${connectors}/providers/*`, { exclude: ['**/memory'] }).flatMap((folder) => {
    const there = new Set(globSync(`${folder}/*.ts`).map((path) => path.slice(folder.length + 1)));
    return wanted.filter((name) => !there.has(name)).map((name) => `${folder} lacks ${name}`);
  });
  assert.deepEqual(broken, []);
});

test('nothing is called utils, helpers, common or types', () => {
  assert.deepEqual(
    files.filter((path) => /\/(utils?|helpers?|common|types)(\/|\.tsx?$)/.test(path)),
    [],
  );
});

test('most files have one subject: fewer than one in eight is longer than 200 lines', () => {
  const sources = files.filter((path) => !isTest(path));
  const long = sources.filter((path) => readFileSync(path, 'utf8').split('\n').length > 200);
  assert.ok(long.length * 8 < sources.length || sources.length < 40, `longer than 200 lines:\n${long.join('\n')}`);
});

/** Ways to read a whole body, or a line of one, that have no bound. */
const boundless: readonly RegExp[] = [
  /'node:(?:stream\/consumers|readline)/,
  /\.(?:arrayBuffer|blob|formData)\(\)/,
  /Buffer\.concat\((?:chunks|pieces|received)\b/,
  /\+= \w+\.toString\(/,
  /\bawait collect\([^,;]*\)[;)]/,
];
/** Files that do one of these within a bound of their own. */
const bounded: Readonly<Record<string, RegExp>> = {
  'packages/connectors/src/kit/whole-body.ts': /concat/,
  'packages/connectors/src/kit/http-exchange.ts': /toString/,
  'packages/connectors/src/kit/http-framing.ts': /toString/,
  'packages/connectors/src/providers/ftp/control.ts': /toString/,
  // The tests' own source.
  'packages/connectors/src/providers/memory/connector.ts': /concat/,
  // Fastify has read the form within its bound.
  'apps/server/src/http/forms.ts': /formData/,
  // A call of that name which reads no body.
  'apps/server/src/billing/recurly.ts': /collect/,
};

test('nothing that comes over the network is read whole but within a bound', () => {
  const readers = files.filter((path) => /^(?:apps\/server|packages\/connectors)\//.test(path) && !isTest(path));
  const broken = readers.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    return boundless
      .filter((way) => way.test(text) && !bounded[path]?.test(way.source))
      .map((way) => `${path} reads without a bound (${way.source}): kit/whole-body.ts does so within one`);
  });
  assert.deepEqual(broken, []);
});
