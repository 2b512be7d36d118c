/**
 * Preloaded into test files: writes the shapes of all SQL statements that the file makes to a file in the folder SHEAF_TEST_STATEMENTS, for the choice of
 * those that run on Postgres. Does nothing without that folder.
 */
import { join, relative } from 'node:path';
import { DefaultQueryCompiler } from 'kysely';
import { shapeOf, writeMade } from '../../../../scripts/statements.ts';

const folder = process.env['SHEAF_TEST_STATEMENTS'];
const [, file = ''] = process.argv;
if (folder !== undefined && file.endsWith('.test.ts')) {
  const made = new Set<string>();
  // Every query of Kysely passes here, raw ones too.
  const { compileQuery } = DefaultQueryCompiler.prototype;
  DefaultQueryCompiler.prototype.compileQuery = function (...given) {
    const query = compileQuery.apply(this, given);
    made.add(shapeOf(query.sql));
    return query;
  };
  process.on('exit', () => writeMade(folder, relative(join(import.meta.dirname, '../../../..'), file), made));
}
