/**
 * Runs a `node --test` command once more on Postgres: `node scripts/postgres-tests.ts node --test … FILES`. One cluster serves all files, and each test gets a
 * copy of a database that was migrated once. A test file takes part when it loads apps/server/src/testing/database.ts, be it by other modules: no test has
 * another way to Postgres. What the others prove does not depend on the engine.
 *
 * Where SHEAF_TEST_STATEMENTS names a folder with the statements that each file has made on SQLite, fewer take part: those that let calls race or name
 * Postgres, and so many others that every statement is made by two files, or by one when no second one makes it.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemplate } from '../apps/server/src/testing/template.ts';
import { spawnOwned } from '../packages/testbed/src/reaper.ts';
import { startPostgres } from '../packages/testbed/src/servers/postgres.ts';
import { loads } from './loads.ts';
import { covering, readMade } from './statements.ts';

const source = join(import.meta.dirname, '../apps/server/src');
const [program = process.execPath, ...given] = process.argv.slice(2);
const isTest = (argument: string): boolean => argument.endsWith('.test.ts');
const reaches = loads(source, join(source, 'testing/database.ts'));
const files = given.filter(isTest);
const reaching = files.filter(reaches);

/** What depends on the engine even where the statements are the same. */
const dependsOnEngine = /Promise\.all|allSettled|postgres/i;

function withoutRepeats(folder: string): string[] {
  const made = readMade(folder);
  const known = new Map(reaching.flatMap((file) => (made.has(file) ? [[file, made.get(file) ?? new Set<string>()] as const] : [])));
  const always = reaching.filter((file) => !known.has(file) || dependsOnEngine.test(readFileSync(file, 'utf8')));
  const result = covering(known, always, 2);
  return reaching.filter((file) => result.has(file));
}

const folder = process.env['SHEAF_TEST_STATEMENTS'];
if (folder !== undefined && reaching.length === 0)
  throw new Error('no test file opens a database: the rule for choosing them no longer fits');
const chosen = folder === undefined ? reaching : withoutRepeats(folder);
console.log(
  `${chosen.length} of ${files.length} files: ${reaching.length} open a database${folder === undefined ? '' : ', and the others repeat their statements'}`,
);

// Files that somebody named may all be without a database.
if (chosen.length === 0) process.exit();
const cluster = await startPostgres();
try {
  const env = { ...process.env, SHEAF_TEST_DATABASE: await makeTemplate(cluster) };
  const args = [...given.filter((argument) => !isTest(argument)), ...chosen];
  const child = spawnOwned(program, args, { stdio: 'inherit', env, runsTests: true });
  const [code] = await once(child, 'exit');
  process.exitCode = code === 0 ? 0 : 1;
} finally {
  await cluster.stop();
}
