import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import type { Statement } from './aside.ts';
import { answerQuestions } from './thread.ts';

const database = new DatabaseSync(String(workerData), { readOnly: true, timeout: 5000 });
// Sorting a large folder would otherwise take several times the room of its rows in memory.
database.exec('pragma temp_store = file; pragma cache_size = -16000');

answerQuestions(({ sql, parameters }: Statement): readonly unknown[] =>
  database
    .prepare(sql)
    .all(...parameters)
    .map((row) => ({ ...row })),
);
