/**
 * Which test files run once more on Postgres: enough that every SQL statement which the API tests make on SQLite is made there too. A file says what it
 * makes while it runs on SQLite (`apps/server/src/testing/record-statements.ts`).
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A statement without the number of its parameters and rows, so that lists of any length are one statement. */
export const shapeOf = (sql: string): string =>
  sql
    .replaceAll(/\(\?(?:, \?)*\)/g, '(?)')
    .replaceAll(/(\(\?\))(?:, \(\?\))+/g, '$1')
    .replaceAll(/\s+/g, ' ');

/**
 * Chooses files that together make every statement, each of them in as many files as `times`, or in all that make it if these are fewer. `made` maps a
 * file to its statements; `chosen` are files that run anyway.
 */
export function covering(made: ReadonlyMap<string, ReadonlySet<string>>, chosen: Iterable<string>, times: number): Set<string> {
  const result = new Set(chosen);
  const open = new Map<string, number>();
  for (const statements of made.values()) for (const one of statements) open.set(one, times);
  const take = (file: string): void => {
    result.add(file);
    for (const one of made.get(file) ?? []) open.set(one, (open.get(one) ?? 0) - 1);
  };
  for (const file of result) take(file);
  for (;;) {
    let best = { file: '', count: 0 };
    for (const [file, statements] of made) {
      if (result.has(file)) continue;
      const count = [...statements].filter((one) => (open.get(one) ?? 0) > 0).length;
      if (count > best.count) best = { file, count };
    }
    if (best.count === 0) return result;
    take(best.file);
  }
}

/** Keeps the statements that a test file, a path from the root, has made. */
export function writeMade(folder: string, file: string, statements: ReadonlySet<string>): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, encodeURIComponent(file)), JSON.stringify([...statements]));
}

/** The statements of each test file that was kept in the folder. */
export function readMade(folder: string): Map<string, ReadonlySet<string>> {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return new Map(
    names.map((name) => [decodeURIComponent(name), new Set(JSON.parse(readFileSync(join(folder, name), 'utf8')) as readonly string[])]),
  );
}
