import { DatabaseSync } from 'node:sqlite';
import { answerQuestions } from '#/platform/db/engines/thread.ts';
import type { SpoolAnswer, SpoolQuestion } from './spool.ts';

/** The rows of one listing, in a temporary database that disappears when it is closed: https://sqlite.org/inmemorydb.html#temp_db */
interface Spooled {
  put(rows: string): void;
  next(limit: number): SpoolAnswer;
  close(): void;
}

type Ordered = readonly [isFile: number, sortKey: string, name: string, row: string];

function createSpooled(): Spooled {
  const database = new DatabaseSync('');
  // Sorting uses as much memory as the cache may; the rest goes to files.
  database.exec('pragma cache_size = -2000; pragma temp_store = file; pragma journal_mode = off; pragma synchronous = off');
  database.exec('create table spooled (isFile integer, sortKey text, name text, "row" text)');
  const insert = database.prepare('insert into spooled select value->>0, value->>1, value->>2, value from json_each(?)');
  let ordered: Iterator<Ordered> | undefined;
  let ahead: Ordered | undefined;

  function begin(): Iterator<Ordered> {
    // Among rows with one key the last one received comes first.
    const sorted = database.prepare('select isFile, sortKey, name, "row" from spooled order by isFile, sortKey, name, rowid desc');
    sorted.setReturnArrays(true);
    // The types of node:sqlite do not know rows as arrays.
    return sorted.iterate() as unknown as Iterator<Ordered>;
  }

  return {
    put: (rows) => void insert.run(rows),
    next(limit) {
      ordered ??= begin();
      const rows: string[] = [];
      let [files, last]: [number, Ordered | undefined] = [0, undefined];
      for (;;) {
        const step: Ordered | undefined = ahead ?? ordered.next().value;
        ahead = undefined;
        if (!step) break;
        if (last && last[0] === step[0] && last[2] === step[2] && last[1] === step[1]) continue;
        // Only then is it certain that no other row of the last key follows.
        if (rows.length === limit) {
          ahead = step;
          break;
        }
        rows.push(step[3]);
        files += step[0];
        last = step;
      }
      return { rows: `[${rows.join(',')}]`, files, folders: rows.length - files, last: last && [last[0], last[1], last[2]] };
    },
    close: () => database.close(),
  };
}

const spools = new Map<number, Spooled>();
const nothing: SpoolAnswer = { rows: '[]', files: 0, folders: 0, last: undefined };

answerQuestions((question: SpoolQuestion): SpoolAnswer => {
  let spool = spools.get(question.spool);
  if (!spool) spools.set(question.spool, (spool = createSpooled()));
  switch (question.ask) {
    case 'put':
      spool.put(question.rows);
      return nothing;
    case 'next':
      return spool.next(question.limit);
    case 'close':
      spools.delete(question.spool);
      spool.close();
      return nothing;
  }
});
