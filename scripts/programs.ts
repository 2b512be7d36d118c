/**
 * `npm run programs`: every program that people use Sheaf with carries 200 MiB and 2,000 files there and back over three kinds of link, and the hashes
 * of what came back are compared. It takes an hour or two, and prints a table.
 *
 *     npm run programs -- restic s3fs     only the programs with one of these words
 *     npm run programs -- --kind=objects  only this kind of link: sftp, objects (a store that speaks S3) or files (our file server)
 */
import { join } from 'node:path';
import { run } from 'node:test';
import { parseArgs } from 'node:util';
import { installMissing } from './debian-packages.ts';

const root = join(import.meta.dirname, '..');
const file = join(root, 'apps/server/src/serving/programs/outsiders.test.ts');
const title = /^(?<program>.+): files go there and back over a link of the kind (?<kind>\w+)$/;

const { values, positionals } = parseArgs({ options: { kind: { type: 'string', default: '' } }, allowPositionals: true });
const words = positionals.map((word) => word.replaceAll(/\W/g, String.raw`\$&`)).join('|');
const wanted = new RegExp(`^[^:]*(?:${words}).*: files .*${values.kind}$`);
const missing = installMissing('servers');
if (missing.length > 0) throw new Error(`missing: ${missing.join(' ')}`);

/** What became of each test: by program, by kind of link. */
const table = new Map<string, Map<string, string>>();
function note(name: string, became: string): void {
  const { program, kind } = title.exec(name)?.groups ?? {};
  if (program === undefined || kind === undefined) return;
  console.log(`${program}, ${kind}: ${became}`);
  table.set(program, (table.get(program) ?? new Map<string, string>()).set(kind, became));
}

process.env['SHEAF_TEST_PROGRAMS'] = 'full';
const events = run({
  files: [file],
  concurrency: 1,
  cwd: join(root, 'apps/server'),
  testNamePatterns: [wanted],
});
for await (const event of events) {
  if (event.type === 'test:pass') {
    const { name, skip, details } = event.data;
    note(name, skip === undefined || skip === false ? `${Math.round(details.duration_ms / 1000)} s` : `not tried: ${skip}`);
  } else if (event.type === 'test:fail') {
    const { name, details } = event.data;
    const { error } = details;
    note(name, 'FAILED');
    console.error(error.cause instanceof Error ? error.cause : error);
    process.exitCode = 1;
  }
}

const kinds = [...new Set([...table.values()].flatMap((row) => [...row.keys()]))];
console.log(`\n| Program | ${kinds.join(' | ')} |\n| --- |${' --- |'.repeat(kinds.length)}`);
for (const [program, row] of table) console.log(`| ${program} | ${kinds.map((kind) => row.get(kind) ?? '').join(' | ')} |`);
