import { type StatementSync, DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import type { Statement } from './aside.ts';
import type { Outcome } from './background.ts';
import { answerQuestions } from './thread.ts';

const database = new DatabaseSync(String(workerData), { timeout: 5000, enableForeignKeyConstraints: true });
// Data written here can be fetched again: a power cut may lose the last of it, and the next full commit puts all of it on the disk.
// https://sqlite.org/pragma.html#pragma_synchronous
database.exec('pragma synchronous = normal; pragma temp_store = file; pragma cache_size = -2000');
const prepared = new Map<string, StatementSync>();

function prepare(sql: string): StatementSync {
  const statement = database.prepare(sql);
  // FTS5 leaves a last inserted row whose number is too large for JavaScript, and which is returned with the changes.
  statement.setReadBigInts(true);
  prepared.set(sql, statement);
  return statement;
}

function run({ sql, parameters }: Statement): Outcome {
  const statement = prepared.get(sql) ?? prepare(sql);
  if (statement.columns().length > 0) return { rows: statement.all(...parameters).length, changes: 0 };
  return { rows: 0, changes: Number(statement.run(...parameters).changes) };
}

answerQuestions((statements: readonly Statement[]): readonly Outcome[] => {
  database.exec('begin immediate');
  try {
    const outcomes = statements.map(run);
    database.exec('commit');
    return outcomes;
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
});
