import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import type { Statement } from './aside.ts';
import { answerQuestions } from './thread.ts';

const database = new DatabaseSync(String(workerData), { readOnly: true, timeout: 5000 });
// Temporary data in files: sorting a large folder in memory would need several times the size of its rows.
database.exec('pragma temp_store = file; pragma cache_size = -2000');

answerQuestions(({ sql, parameters }: Statement): readonly unknown[] =>
  database
    .prepare(sql)
    .all(...parameters)
    .map((row) => ({ ...row })),
);
