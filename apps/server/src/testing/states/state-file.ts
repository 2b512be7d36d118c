import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Batch, Snapshot } from '#/platform/db/copies/snapshot.ts';
import type { Query } from '#/platform/db/copies/tables.ts';
import type { Words } from './words.ts';

/** What was answered once, when the state was made. */
export type Known = Readonly<Record<string, string>>;

/** A database as a version of the program left it. */
export interface State {
  readonly name: string;
  /** Names of its migrations. */
  readonly migrations: readonly string[];
  /** Epoch seconds. */
  readonly madeAt: number;
  /** Digest of its tables, indexes and triggers on SQLite. */
  readonly schema: string;
  readonly known: Known;
  /** The words of its columns; states of versions that did not list them have none. */
  readonly words?: Words;
  readonly tables: readonly Batch[];
}

interface Head extends Pick<State, 'migrations' | 'madeAt' | 'schema' | 'known' | 'words'> {}
type Line = Head | Pick<Batch, 'table' | 'columns'> | readonly unknown[];

const ending = '.jsonl';

/** Digest of everything that SQLite's schema says. */
export async function schemaDigest(query: Query): Promise<string> {
  const rows = await query(`select type, name, sql from sqlite_master where name not like 'sqlite_%' order by type, name`);
  return createHash('sha256').update(JSON.stringify(rows)).digest('base64url');
}

/** Writes the rows as lines of JSON, as backups hold them, without tables that have none; returns the path. */
export async function writeState(
  folder: string,
  { migrations, batches, query }: Snapshot,
  { madeAt, known, words }: Pick<State, 'madeAt' | 'known' | 'words'>,
): Promise<string> {
  const lines: Line[] = [{ migrations, madeAt, schema: await schemaDigest(query), known, ...(words && { words }) }];
  let begun = '';
  for await (const { table, columns, rows } of batches) {
    if (rows.length === 0) continue;
    if (begun !== table) lines.push({ table, columns });
    begun = table;
    lines.push(...rows);
  }
  const path = join(folder, `${migrations.at(-1)}${ending}`);
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

/** The states that are kept, the earliest first. */
export function keptStates(folder = import.meta.dirname): State[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) => readState(folder, file));
}

function readState(folder: string, file: string): State {
  const [head, ...rest] = readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
  const tables: { table: string; columns: readonly string[]; rows: (readonly unknown[])[] }[] = [];
  for (const line of rest) {
    if ('table' in line) tables.push({ ...line, rows: [] });
    else tables.at(-1)?.rows.push(line as readonly unknown[]);
  }
  return { ...(head as Head), name: file.slice(0, -ending.length), tables };
}
