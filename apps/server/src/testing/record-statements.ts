/**
 * Preloaded into test processes: writes the shapes of all SQL statements that each test file makes to a file in the folder SHEAF_TEST_STATEMENTS, for the
 * choice of those that run on Postgres. Does nothing without that folder.
 */
import { join, relative } from 'node:path';
import { beforeEach } from 'node:test';
import { DefaultQueryCompiler } from 'kysely';
import { shapeOf, writeMade } from '../../../../scripts/statements.ts';

const folder = process.env['SHEAF_TEST_STATEMENTS'];
const files = process.argv.slice(1).filter((argument) => argument.endsWith('.test.ts'));
if (folder !== undefined && files.length > 0) {
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
    for (const [file, statements] of made) writeMade(folder, file, statements);
  });
}
