import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { listPeople } from '@sheaf/contract';
import { tempDir } from '@sheaf/testbed';
import type { Options } from '../options.ts';
import { median, percentile, timed } from '../rounds.ts';
import { withSheaf } from '../setting.ts';
import { printTable, shown } from '../table.ts';
import { cpuSeconds } from '../usage.ts';

const count = 100_000;
/** Longest time of 19 of 20 answers, ms. */
const wanted = 100;
const rounds = 20;
const names = ['Anna', 'Ben', 'Cleo', 'Dora', 'Emil', 'Finn', 'Greta', 'Hugo', 'Ines', 'Jonas'];

/** The operator's page People of many accounts, with links and sessions: pages of the list, and searches. */
export async function people(_options: Options): Promise<void> {
  const { path: data, remove } = await tempDir('bench-people');
  try {
    await withSheaf(
      async ({ pid }, user) => {
        addAccounts(join(data, 'sheaf.db'));
        const rows = [];
        for (const [what, input] of [
          ['first page', {}],
          ['a page in the middle', { after: 'greta.' }],
          ['search that many match', { query: 'anna' }],
          ['search that one matches', { query: `muster ${count - 1}` }],
          ['search that nobody matches', { query: 'zzzz' }],
        ] as const) {
          await user.get(listPeople, input);
          const times: number[] = [];
          const before = await cpuSeconds(pid);
          for (let round = 0; round < rounds; round++) times.push(1000 * (await timed(() => user.get(listPeople, input))));
          const used = (await cpuSeconds(pid)) - before;
          const p95 = percentile(times, 0.95);
          rows.push({
            what,
            'median (ms)': shown(median(times)),
            'p95 (ms)': shown(p95),
            'CPU (ms)': shown((1000 * used) / rounds),
            'at most': String(wanted),
            held: p95 <= wanted ? 'yes' : 'no',
          });
        }
        printTable(`People, ${count} accounts`, rows);
      },
      { SHEAF_DATA_DIR: data },
    );
  } finally {
    await remove();
  }
}

/** Adds the accounts to the database: signing them all up would take hours. */
function addAccounts(file: string): void {
  const database = new DatabaseSync(file, { timeout: 20_000 });
  const account = database.prepare(
    `insert into account (id, kind, name, email, "emailKey", "verifiedAt", "createdAt") values (?1, 'person', ?2, ?3, ?3, ?4, ?4)`,
  );
  const link = database.prepare(
    `insert into link (id, "accountId", provider, "sourceType", name, "nameKey", account, identity, info, state, "createdAt", revision)
     values (?, ?, 'SFTP', 'sftp', ?3, ?3, '', '', '{}', 'ok', 1700000000, 1)`,
  );
  const session = database.prepare(
    `insert into session (id, "tokenHash", "accountId", "rTag", "userAgent", address, "createdAt", "lastSeenAt", "expiresAt", "provenAt")
     values (?1, ?1, ?2, '', '', '', 1700000000, ?3, 4000000000, 1700000000)`,
  );
  for (let index = 0; index < count; index++) {
    // In parts: the server waits for the lock.
    if (index % 2000 === 0) database.exec(index === 0 ? 'begin' : 'commit; begin');
    const [id, name] = [`bench${index}`, names[index % names.length] ?? ''];
    // Addresses in another order than the accounts.
    const email = `${name.toLowerCase()}.${(index * 7919) % 1_000_003}@example.org`;
    account.run(id, `${name} Muster ${index}`, email, 1_700_000_000 + index);
    for (let number = 0; number < index % 4; number++) link.run(`${id} ${number}`, id, `link ${number}`);
    if (index % 3 > 0) session.run(`s ${id}`, id, 1_790_000_000 + index);
  }
  database.exec('commit');
  database.close();
}
