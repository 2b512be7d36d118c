/**
 * Preloaded into test processes: writes the shapes of all SQL statements that each test file makes to a file in the folder SHEAF_TEST_STATEMENTS, for the
 * choice of those that run on Postgres. Does nothing without that folder, nor in the worker threads, which preload it too.
 */
import { join, relative } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const folder = process.env['SHEAF_TEST_STATEMENTS'];
const files = process.argv.slice(1).filter((argument) => argument.endsWith('.test.ts'));
/** Node's runner preloads it as well, where it has a process beside that of the tests. */
const hasTests = process.env['NODE_TEST_CONTEXT'] !== undefined || process.execArgv.includes('--test-isolation=none');
if (isMainThread && hasTests && folder !== undefined && files.length > 0) await record(folder);

async function record(into: string): Promise<void> {
  const { beforeEach } = await import('node:test');
  const { DefaultQueryCompiler } = await import('kysely');
  const { shapeOf, writeMade } = await import('../../../../scripts/statements.ts');
  const root = join(import.meta.dirname, '../../../..');
  const made = new Map(files.map((file) => [relative(root, file), new Set<string>()]));
  // Tests of a process run one after the other. What happens outside a test counts for the one before it, or for the first file.
  let current = [...made.values()][0];
  beforeEach((t) => {
    if ('filePath' in t && t.filePath !== undefined) current = made.get(relative(root, t.filePath)) ?? current;
  });
  // Every query of Kysely passes here, raw ones too.
  const { compileQuery } = DefaultQueryCompiler.prototype;
  DefaultQueryCompiler.prototype.compileQuery = function (...given) {
    const query = compileQuery.apply(this, given);
    current?.add(shapeOf(query.sql));
    return query;
  };
  process.on('exit', () => {
    for (const [file, statements] of made) writeMade(into, file, statements);
  });
}
