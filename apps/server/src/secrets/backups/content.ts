import { Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import type { Batch, Snapshot } from '#/platform/db/copies/snapshot.ts';
import { BadBackup, damaged } from './damage.ts';

/**
 * What a backup holds, sealed: gzip of lines of JSON. The first line is `Beginning`; then for each table, parents first, `{"table", "columns"}`
 * followed by its rows as arrays; the last line is `{"end": {table: number of rows}}`.
 */
const Beginning = Type.Object({
  sheaf: Type.Literal('backup'),
  migrations: Type.Array(Type.String()),
  /** The installation's key in base64; only in a backup that a passphrase seals. */
  key: Type.Optional(Type.String()),
});
const TableLine = Type.Object({ table: Type.String(), columns: Type.Array(Type.String(), { minItems: 1 }) });
const End = Type.Object({ end: Type.Record(Type.String(), Type.Integer()) });
const Row = Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()]));

/** Bytes collected before they are compressed. */
const blockSize = 65_536;

async function* linesOf({ migrations, batches }: Snapshot, key: Buffer | undefined): AsyncGenerator<string> {
  yield JSON.stringify({ sheaf: 'backup', migrations: [...migrations], ...(key && { key: key.toString('base64') }) } satisfies Static<
    typeof Beginning
  >);
  const counts: Record<string, number> = {};
  for await (const { table, columns, rows } of batches) {
    if (!(table in counts)) yield JSON.stringify({ table, columns: [...columns] } satisfies Static<typeof TableLine>);
    counts[table] = (counts[table] ?? 0) + rows.length;
    for (const row of rows) {
      if (!Check(Row, row)) throw new TypeError(`the table ${table} has a value that backups cannot hold`);
      yield JSON.stringify(row);
    }
  }
  yield JSON.stringify({ end: counts } satisfies Static<typeof End>);
}

async function* blocksOf(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let block = '';
  for await (const line of lines) {
    block += `${line}\n`;
    if (block.length < blockSize) continue;
    yield Buffer.from(block);
    block = '';
  }
  yield Buffer.from(block);
}

/** The bytes of the snapshot, with the installation's key if given. */
export const packSnapshot = (snapshot: Snapshot, key?: Buffer): Readable => {
  const zip = createGzip({ level: 6 });
  const source = Readable.from(blocksOf(linesOf(snapshot, key)));
  source.on('error', (error) => zip.destroy(error));
  zip.on('close', () => source.destroy());
  return source.pipe(zip);
};

/** A backup's content: the tables have to be read to their end, which checks that nothing is missing. */
export interface Content {
  readonly migrations: readonly string[];
  readonly key?: Buffer;
  readonly batches: AsyncIterable<Batch>;
}

/** Reads what packSnapshot wrote. Throws BadBackup, while its batches are read too. */
export async function unpack(packed: AsyncIterable<Buffer>): Promise<Content> {
  const source = Readable.from(packed);
  const unzip = createGunzip();
  source.on('error', (error) => unzip.destroy(error));
  unzip.on('close', () => source.destroy());
  const lines = splitLines(source.pipe(unzip));
  const first = parse((await lines.next()).value);
  if (!Check(Beginning, first)) throw damaged();
  return {
    migrations: first.migrations,
    ...(first.key !== undefined && { key: Buffer.from(first.key, 'base64') }),
    batches: batchesOf(lines),
  };
}

/** Rows of a batch. */
const batchSize = 200;

async function* batchesOf(lines: AsyncGenerator<string>): AsyncGenerator<Batch> {
  const counts: Record<string, number> = {};
  let table: Static<typeof TableLine> | undefined;
  let rows: Static<typeof Row>[] = [];
  for await (const line of lines) {
    const value = parse(line);
    if (Check(Row, value)) {
      if (!table || value.length !== table.columns.length) throw damaged();
      rows.push(value);
      counts[table.table] = (counts[table.table] ?? 0) + 1;
      if (rows.length < batchSize) continue;
    }
    if (table && rows.length > 0) yield { ...table, rows };
    rows = [];
    if (Check(TableLine, value)) {
      table = value;
      counts[table.table] = 0;
      yield { ...table, rows };
    } else if (Check(End, value)) {
      for (const [name, count] of Object.entries(value.end))
        if (counts[name] !== count) throw new BadBackup(`This backup is incomplete: the table ${name} lacks rows.`);
      return;
    } else if (!Check(Row, value)) throw damaged();
  }
  throw damaged();
}

/** Splits at line feeds only: JSON may contain other separators of lines. */
async function* splitLines(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  for await (const block of stream) {
    let start = 0;
    for (let end = block.indexOf(10); end !== -1; end = block.indexOf(10, start)) {
      yield Buffer.concat([...parts, block.subarray(start, end)]).toString('utf8');
      parts = [];
      start = end + 1;
    }
    parts.push(block.subarray(start));
  }
  const rest = Buffer.concat(parts).toString('utf8');
  if (rest !== '') yield rest;
}

function parse(line: unknown): unknown {
  try {
    return JSON.parse(String(line));
  } catch (error) {
    throw Object.assign(damaged(), { cause: error });
  }
}
