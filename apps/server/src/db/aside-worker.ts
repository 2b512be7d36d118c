import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { Answer, Question } from './aside.ts';

const database = new DatabaseSync(String(workerData), { readOnly: true, timeout: 5000 });
// Sorting a large folder would otherwise take several times the room of its rows in memory.
database.exec('pragma temp_store = file; pragma cache_size = -16000');

parentPort?.on('message', ({ id, sql, parameters }: Question) => {
  let answer: Answer;
  try {
    const statement = database.prepare(sql);
    const rows = statement.all(...parameters).map((row) => ({ ...row }));
    answer = { id, rows };
  } catch (error) {
    answer = { id, error };
  }
  parentPort?.postMessage(answer);
});
