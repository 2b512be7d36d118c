import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const contract = 'packages/contract/src';
const connectors = 'packages/connectors/src';
const concurrency = `${connectors}/kit/concurrency`;
const vault = 'packages/vault/src';
const testbed = 'packages/testbed/src';
const server = 'apps/server/src';
const web = 'apps/web/src';
const area = (name: string): string => `${server}/${name}`;

/** room → the rooms it may import. A file's room is the longest of these that its path begins with. docs/architecture.md says why. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  [contract]: [],
  [`${connectors}/core`]: [contract],
  [concurrency]: [`${connectors}/core`],
  [`${connectors}/kit`]: [`${connectors}/core`, concurrency],
  [`${connectors}/layers`]: [`${connectors}/core`, concurrency],
  [`${connectors}/conformance`]: [`${connectors}/core`, `${connectors}/kit`, concurrency],
  [`${connectors}/providers`]: [contract, `${connectors}/core`, `${connectors}/kit`, concurrency],
  [connectors]: [contract, `${connectors}/core`, `${connectors}/kit`, concurrency, `${connectors}/layers`, `${connectors}/providers`],
  [vault]: [],
  [testbed]: [],
  [area('platform')]: [contract, concurrency, area('platform/config')],
  [area('platform/config')]: [contract, connectors],
  [area('secrets')]: [contract, concurrency, ...['platform', 'platform/config'].map(area)],
  [area('billing')]: [contract, concurrency, connectors, ...['platform', 'platform/config'].map(area)],
  [area('identity')]: [contract, concurrency, ...['platform', 'platform/config', 'secrets', 'billing'].map(area)],
  [area('links')]: [contract, connectors, ...['platform', 'platform/config', 'secrets', 'identity'].map(area)],
  [area('access')]: [contract, connectors, ...['platform', 'platform/config', 'links'].map(area)],
  [area('files')]: [contract, connectors, ...['platform', 'platform/config', 'secrets', 'links', 'access'].map(area)],
  [area('sharing')]: [
    contract,
    connectors,
    ...['platform', 'platform/config', 'identity', 'links', 'access', 'files', 'billing'].map(area),
  ],
  [area('serving')]: [
    contract,
    connectors,
    ...['platform', 'platform/config', 'secrets', 'identity', 'links', 'access', 'files', 'sharing'].map(area),
  ],
  [server]: [
    contract,
    connectors,
    ...['platform', 'platform/config', 'secrets', 'billing', 'identity', 'links', 'access', 'files', 'sharing', 'serving'].map(area),
  ],
  [`${web}/lib`]: [contract],
  [`${web}/ui`]: [],
  [`${web}/features`]: [contract, vault, `${web}/lib`, `${web}/ui`],
  [web]: [contract, `${web}/features`, `${web}/lib`, `${web}/ui`],
  'apps/fileserver/src': [],
  'apps/cli/src': [contract, vault],
  e2e: [contract, testbed],
  bench: [contract, testbed, vault],
};
/** Every folder in these is a room of its own: no provider knows another, no feature knows another. */
const cells = [`${connectors}/providers`, `${web}/features`];

/** Who may use a package that others reach through them only. `files` narrows the rule to a part of the project. */
const packageOwners: readonly { packages: RegExp; files: RegExp; owners: RegExp; why: string }[] = [
  { packages: /^node:/, files: /^packages\/contract\//, owners: /^$/, why: 'the contract runs in the browser' },
  { packages: /^node:/, files: /^packages\/vault\//, owners: /^$/, why: 'vaults are opened in the browser' },
  {
    packages: /^(kysely|node:sqlite|pg)$/,
    files: /^apps\/server\//,
    owners: /store\.ts$|\/platform\/|\/files\/listings\/rows\//,
    why: 'only a store knows SQL',
  },
  {
    packages: /^(fastify|@fastify)/,
    files: /^apps\/server\//,
    owners:
      /routes\.ts$|\/platform\/http\/|\/src\/app\.ts$|\/send-\w+\.ts$|\/(upload-body|session-cookies|notifications)\.ts$|\/files\/content\/thumbnails\.ts$/,
    why: 'only routes, and what reads and writes their bodies and cookies, know HTTP',
  },
  {
    packages: /^(@[\w-]+\/)?\w[\w.-]*\/(lib|src|internal)\//,
    files: /./,
    owners: /^$/,
    why: 'an update may change what a package does not export',
  },
  { packages: /^(ssh2|basic-ftp)/, files: /\/(core|layers)\//, owners: /^$/, why: 'vendor libraries belong to providers' },
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
  return join(folder, 'src', rest.endsWith('.ts') ? rest : `${rest}/index.ts`);
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

/** As above, without imports of types alone. */
const valueImports = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/^import (?!type\b)(\{[^}]*\})?[^'"]*?from '([^']+)'/gm)]
    .filter(
      ([, names]) =>
        names === undefined ||
        names
          .replace(/[{}]/g, '')
          .split(',')
          .some((name) => name.trim() !== '' && !name.trim().startsWith('type ')),
    )
    .map(([, , specifier = '']) => specifier);
/** `apps/server/src/<area>/<noun>` of a file of the server. */
const nounOf = (path: string): string => path.split('/').slice(0, 5).join('/');

const files = globSync(['{apps,packages}/*/src/**/*.{ts,tsx}', '{e2e,bench}/**/*.ts'], { exclude: ['**/node_modules/**', '**/dist/**'] });

test('every import is allowed by the table', () => {
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

test('no file imports a package outside its area', () => {
  const broken = files
    .filter((path) => !isTest(path))
    .flatMap((path) =>
      packageOwners
        .filter((rule) => rule.files.test(path) && !rule.owners.test(path))
        .flatMap(({ packages, why }) =>
          imports(path).flatMap((specifier) => (packages.test(specifier) ? [`${path} imports ${specifier}: ${why}`] : [])),
        ),
    );
  assert.deepEqual(broken, []);
});

test('a store is used by its own noun only', () => {
  const broken = files
    .filter((path) => path.startsWith(`${server}/`) && !isTest(path) && !/\/(services|compose)\.ts$/.test(path))
    .flatMap((importer) =>
      valueImports(importer)
        .map((specifier) => fileOf(specifier, importer))
        .filter((file) => file.startsWith(`${server}/`) && file.endsWith('store.ts') && nounOf(file) !== nounOf(importer))
        .map((file) => `${importer} must not use ${file}`),
    );
  assert.deepEqual(broken, []);
});

test('folders have no circular imports', () => {
  const edges = new Map<string, Set<string>>();
  for (const importer of files.filter((path) => !isTest(path)))
    for (const specifier of imports(importer)) {
      const [from, to] = [dirname(importer), dirname(fileOf(specifier, importer))];
      // A folder and the folders in it are one subject: the outer one has the entry and what the inner ones share.
      if (!`${from}/`.startsWith(`${to}/`) && !`${to}/`.startsWith(`${from}/`)) edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
  const reachable = (start: string): Set<string> => {
    const seen = new Set<string>();
    const waiting = [...(edges.get(start) ?? [])];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
      if (!seen.has(next)) {
        seen.add(next);
        waiting.push(...(edges.get(next) ?? []));
      }
    return seen;
  };
  assert.deepEqual(
    [...edges.keys()].filter((folder) => reachable(folder).has(folder)),
    [],
  );
});

test('a folder holds at most sixteen files, not counting tests', () => {
  const counts = new Map<string, number>();
  for (const path of files) {
    if (/\.test\.tsx?$|^(e2e|bench)\//.test(path)) continue;
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  // One file for each noun, or for each step of the schema.
  const perNoun = [`${contract}/calls`, area('platform/db/tables'), area('platform/db/migrations')];
  const crowded = [...counts].filter(([folder, count]) => count > 16 && !perNoun.includes(folder));
  assert.deepEqual(crowded, []);
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
  const folders = globSync(`${connectors}/providers/**/index.ts`, { exclude: ['**/memory', '**/testing'] }).map(dirname);
  assert.ok(folders.length > 15);
  const broken = folders.flatMap((folder) => {
    const there = new Set(globSync(`${folder}/*.ts`).map((path) => path.slice(folder.length + 1)));
    return wanted.filter((name) => !there.has(name)).map((name) => `${folder} lacks ${name}`);
  });
  assert.deepEqual(broken, []);
});

test('a folder offers only operations that the server uses for a call', async () => {
  const { operations } = await import('./packages/contract/src/index.ts');
  const areas = ['files', 'sharing', 'serving'].map((name) => `${area(name)}/`);
  const sources = files.filter((path) => !isTest(path) && areas.some((folder) => path.startsWith(folder)));
  const text = sources.map((path) => readFileSync(path, 'utf8')).join('\n');
  // Sharing asks nothing of the source.
  const unused = operations.filter((operation) => operation !== 'share' && !new RegExp(`\\bconnector\\.${operation}\\(`).test(text));
  // A rename is passed on as a function, together with its connector.
  assert.deepEqual(
    unused.filter((operation) => !text.includes(`connector.${operation},`)),
    [],
  );
});

test('nothing is called utils, helpers, common or types', () => {
  assert.deepEqual(
    files.filter((path) => /\/(utils?|helpers?|common|types)(\/|\.tsx?$)/.test(path)),
    [],
  );
});

test('the composition root stays under 100 lines', () => {
  assert.ok(readFileSync(`${server}/services.ts`, 'utf8').split('\n').length <= 100);
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
  'packages/connectors/src/kit/body/whole-body.ts': /concat/,
  'packages/connectors/src/kit/http/http-exchange.ts': /toString/,
  'packages/connectors/src/kit/http/http-framing.ts': /toString/,
  'packages/connectors/src/providers/ftp/control.ts': /toString/,
  // The tests' own source.
  'packages/connectors/src/providers/memory/collected.ts': /concat/,
  'packages/connectors/src/providers/memory/uploads.ts': /concat/,
  // Fastify has read the form within its bound.
  'apps/server/src/platform/http/bodies/forms.ts': /formData/,
  // A call of that name which reads no body.
  'apps/server/src/billing/provider/recurly.ts': /collect/,
};

test('no network response is read whole without a limit', () => {
  const readers = files.filter((path) => /^(?:apps\/server|packages\/connectors)\//.test(path) && !isTest(path));
  const broken = readers.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    return boundless
      .filter((way) => way.test(text) && !bounded[path]?.test(way.source))
      .map((way) => `${path} reads without a bound (${way.source}): kit/body/whole-body.ts does so within one`);
  });
  assert.deepEqual(broken, []);
});

/** Files of the browser with a `message` that is no error's, or that word errors. */
const messages = new Set(
  ['ui/feedback/Notifications.tsx', 'ui/feedback/notify.ts', 'features/account-data/RemoteRow.tsx', 'lib/http/call-error.ts'].map(
    (path) => `${web}/${path}`,
  ),
);

test('the browser words every error by errorText: no file shows the sentence of an answer', () => {
  const ways = [
    /\.message\b/,
    /\(\{[^}]*\bmessage\b[^}]*\}\) =>/,
    /\bmessage\b[^{}]*\} = \w*(?:error|answer|verdict|told)/i,
    /\.text\b.*errorTable|errorTable[\w.[\]]*\.text\b/,
    /\b(?:englishWords|networkFault|sentenceOf)\b/,
  ];
  const broken = files.flatMap((path) => {
    if (
      !path.startsWith(web) ||
      isTest(path) ||
      messages.has(path) ||
      /\/lib\/http\/(?:error-text|error-rows|row-text|other-words)\.ts$/.test(path)
    )
      return [];
    const text = readFileSync(path, 'utf8');
    return ways.filter((way) => way.test(text)).map((way) => `${path} (${way.source}): lib/http/error-text.ts words errors`);
  });
  assert.deepEqual(broken, []);
});

test('the server puts errors into answers with their code and details, never as a sentence alone', () => {
  const way = /\bappError\([^;]*\)\.message\b|\bsuper\(.*errorTable/;
  const broken = files.filter((path) => path.startsWith(server) && !isTest(path) && way.test(readFileSync(path, 'utf8')));
  assert.deepEqual(broken, []);
});

/** Times that a connector waits for its source, written as numbers instead of taken from the table. */
const ownTimes = [
  /(?:refusalPatience|maxWait|maxTransferWait|checkAfter|inAll)\s*[=:]\s*\d/,
  /AbortSignal\.timeout\((?!deadlines\.|answerAfter\()/,
  /headTimeout: (?!deadlines\.|answerAfter\(|within\b|\(sent: number\))/,
];

test('the deadlines of sources are in one table, core/deadlines.ts', () => {
  const waiting = files.filter((path) => path.startsWith(`${connectors}/`) && !isTest(path) && !/\/(?:testing|conformance)\//.test(path));
  const broken = waiting.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    return ownTimes.filter((own) => own.test(text)).map((own) => `${path} has a time of its own (${own.source})`);
  });
  assert.deepEqual(broken, []);
});
