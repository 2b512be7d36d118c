/** `npm run ledger`: which rows of docs/spec/ledger.md no test's title names. Ends with 1 when a row of what is built has none. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { laterRows } from './ledger-scope.ts';

const root = join(import.meta.dirname, '..');
const ledger = readFileSync(join(root, 'docs/spec/ledger.md'), 'utf8');
const requirements = new Map(
  [...ledger.matchAll(/^\| ((?!OP-)[A-Z0-9]+-\d+) \| (.+?) \| [LS]§/gm)].map(([, id = '', text = '']) => [id, text]),
);

const tests = globSync(
  ['{apps,packages}/*/src/**/*.test.ts', 'packages/connectors/src/conformance/*.ts', 'e2e/**/*.spec.ts', '*.test.ts'],
  { cwd: root, exclude: ['**/node_modules/**'] },
);
const named = new Set(
  tests.flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(/\[([A-Z][A-Z0-9]*-\d+)\]/g)].map(([, id = '']) => id)),
);

/** The ids that a scope's entry stands for. */
function expand(entry: string): string[] {
  const [first = '', last] = entry.split('..');
  if (!first.includes('-') || /^[A-Z0-9]+$/.test(first)) return [...requirements.keys()].filter((id) => id.startsWith(`${first}-`));
  if (last === undefined) return [first];
  const [area, from] = split(first);
  return [...requirements.keys()].filter((id) => {
    const [idArea, number] = split(id);
    return idArea === area && Number(number) >= Number(from) && Number(number) <= Number(split(last)[1]);
  });
}
const split = (id: string): [string, string] => {
  const cut = id.lastIndexOf('-');
  return [id.slice(0, cut), id.slice(cut + 1)];
};

const later = new Map(laterRows.flatMap(({ part, rows }) => rows.flatMap(expand).map((id) => [id, part])));
const unknown = [...named, ...later.keys()].filter((id) => !requirements.has(id));
const untested = [...requirements].filter(([id]) => !named.has(id) && !later.has(id));

for (const [id, text] of untested) console.log(`${id}  ${text}`);
for (const id of unknown) console.log(`${id}  is named by a test or a scope, but is no row of the ledger`);
for (const part of new Set(laterRows.map((row) => row.part))) {
  const rows = [...later].filter(([id, of]) => of === part && !named.has(id));
  console.log(`${rows.length} rows come with: ${part}`);
}
console.log(
  `${requirements.size} rows, ${[...requirements.keys()].filter((id) => named.has(id)).length} with a test, ${untested.length} of what is built without one`,
);
if (untested.length + unknown.length > 0) process.exitCode = 1;
