/**
 * Runs a `node --test` command again on Postgres: `node scripts/postgres-tests.ts node --test … FILES`. One cluster serves all files, and each test
 * gets a copy of a database that was migrated once. Runs the test files that load apps/server/src/testing/database.ts, directly or indirectly: tests
 * have no other way to Postgres. The others do not depend on the engine; their number is printed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { makeTemplate } from '../apps/server/src/testing/template.ts';
import { startPostgres } from '../packages/testbed/src/servers/postgres.ts';
import { loads } from './loads.ts';

const source = join(import.meta.dirname, '../apps/server/src');
const [program = process.execPath, ...given] = process.argv.slice(2);
const isTest = (argument: string): boolean => argument.endsWith('.test.ts');
const reaches = loads(source, join(source, 'testing/database.ts'));
const files = given.filter(isTest);
const chosen = files.filter(reaches);
console.log(
  `${chosen.length} of ${files.length} files open a database; the other ${files.length - chosen.length} do not run again on Postgres`,
);
if (chosen.length === 0) throw new Error('no test file opens a database: the rule for choosing them no longer fits');

const cluster = await startPostgres();
try {
  const env = { ...process.env, SHEAF_TEST_DATABASE: await makeTemplate(cluster) };
  const child = spawn(program, [...given.filter((argument) => !isTest(argument)), ...chosen], { stdio: 'inherit', env });
  const [code] = await once(child, 'exit');
  process.exitCode = code === 0 ? 0 : 1;
} finally {
  await cluster.stop();
}
