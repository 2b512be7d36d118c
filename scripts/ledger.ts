/**
 * `npm run ledger`: rows of docs/spec/ledger.md that no test proves on the running product. A test with stubbed answers, or of a function alone,
 * counts for that dialog or function and is listed separately. Exits with 1 when a row in scope has neither a proof nor a reason for lacking one.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ProofKind, proofsOf } from './ledger-proofs.ts';
import { insideBrowser, laterRows, withoutProof } from './ledger-scope.ts';

const root = join(import.meta.dirname, '..');
const ledger = readFileSync(join(root, 'docs/spec/ledger.md'), 'utf8');
const requirements = new Map(
  [...ledger.matchAll(/^\| ((?!OP-)[A-Z0-9]+-\d+) \| (.+?) \| [LS]§/gm)].map(([, id = '', text = '']) => [id, text]),
);

const tests = globSync(
  ['{apps,packages}/*/src/**/*.test.ts', 'packages/connectors/src/conformance/*.ts', 'e2e/**/*.spec.ts', '*.test.ts'],
  { cwd: root, exclude: ['**/node_modules/**'] },
);
const kinds = new Map<string, Set<ProofKind>>();
for (const path of tests) {
  const text = readFileSync(join(root, path), 'utf8');
  for (const { id, kind } of proofsOf(path, text, supportOf(path, text))) kinds.set(id, (kinds.get(id) ?? new Set()).add(kind));
}

/** The modules of the same folder that a browser test imports: their functions may stub answers. */
function supportOf(path: string, text: string): string {
  const beside = [...text.matchAll(/from '(\.\/[^']+\.ts)'/g)].map(([, name = '']) => join(root, dirname(path), name));
  return beside
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

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
const inside = new Set(insideBrowser.flatMap(({ rows }) => rows));
const excepted = new Map(withoutProof.map(({ row, why }) => [row, why]));
const unknown = [...kinds.keys(), ...later.keys(), ...inside, ...excepted.keys()].filter((id) => !requirements.has(id));
const built = [...requirements].filter(([id]) => !later.has(id) && !excepted.has(id));
const untested = built.filter(([id]) => !kinds.has(id));
const unproven = built.filter(([id]) => kinds.has(id) && !kinds.get(id)?.has('product') && !inside.has(id));

for (const [id, text] of untested) console.log(`${id}  no test  ${text}`);
for (const [id, text] of unproven) console.log(`${id}  ${[...(kinds.get(id) ?? [])].sort().join(' and ')} only  ${text}`);
for (const id of unknown) console.log(`${id}  is named by a test or a scope, but is no row of the ledger`);
const claimed = [...excepted.keys()].filter((id) => kinds.has(id));
for (const id of claimed) console.log(`${id}  is claimed by a test, but is listed as without proof`);
for (const { why, rows } of insideBrowser) console.log(`${rows.join(', ')}  inside the browser: ${why}`);
for (const [id, why] of excepted) console.log(`${id}  without proof: ${why}`);
for (const part of new Set(laterRows.map((row) => row.part))) {
  const rows = [...later].filter(([id, of]) => of === part && !kinds.has(id));
  console.log(`${rows.length} rows come with: ${part}`);
}
const proven = [...requirements.keys()].filter((id) => kinds.get(id)?.has('product'));
console.log(
  `${requirements.size} rows: ${proven.length} proven on the running product, ${inside.size} inside the browser, ${excepted.size} without proof for a reason, ${unproven.length} by stubs or units only, ${untested.length} by no test`,
);
if (untested.length + unproven.length + unknown.length + claimed.length > 0) process.exitCode = 1;
