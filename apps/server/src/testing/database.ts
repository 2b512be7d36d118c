import { randomBytes } from 'node:crypto';
import { after } from 'node:test';
import { startPostgres } from '@sheaf/testbed';
import type { Engine } from '#/db/database.ts';
import { makeTemplate } from './template.ts';

/**
 * SHEAF_TEST_DATABASE: `sqlite`, which is meant when it is absent; `postgres` for a cluster of this process; or the address of a Postgres database
 * with all tables and no rows, of which every test gets a copy, as scripts/postgres-tests.ts gives it.
 */
const asked = process.env['SHEAF_TEST_DATABASE'] ?? 'sqlite';
export const testEngine: Engine = asked === 'sqlite' ? 'sqlite' : 'postgres';

export interface TestDatabase {
  /** What SHEAF_DATABASE_URL says: '' for SQLite. */
  readonly url: string;
  /** Takes it away; to be called when nothing is connected any more. */
  drop(): Promise<void>;
}

interface Options {
  readonly on?: Engine;
  /** Without tables. */
  readonly empty?: boolean;
}

/** A database of its own for a test. With SQLite it is the file in the test's data folder, so that nothing is made or dropped here. */
export async function testDatabase({ on = testEngine, empty = false }: Options = {}): Promise<TestDatabase> {
  if (on === 'sqlite') return { url: '', drop: async () => undefined };
  const { template, run } = await (server ??= reachServer());
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Copied as files, which costs half of writing every page to the log: https://www.postgresql.org/docs/15/sql-createdatabase.html
  await run(`create database ${name}${empty ? '' : ` template ${nameOf(template)} strategy file_copy`}`);
  return { url: withName(template, name), drop: () => run(`drop database ${name}`) };
}

interface Server {
  /** The address of the database that is copied. */
  readonly template: string;
  run(statement: string): Promise<void>;
  stop(): Promise<void>;
}

let server: Promise<Server> | undefined;
after(async () => (await server)?.stop());

async function reachServer(): Promise<Server> {
  const cluster = asked === 'sqlite' || asked === 'postgres' ? await startPostgres() : undefined;
  const template = cluster ? await makeTemplate(cluster) : asked;
  const { default: postgres } = await import('pg');
  const pool = new postgres.Pool({ connectionString: withName(template, 'postgres'), max: 1 });
  return {
    template,
    run: async (statement) => void (await pool.query(statement)),
    async stop() {
      await pool.end();
      await cluster?.stop();
    },
  };
}

const nameOf = (address: string): string => new URL(address).pathname.slice(1);

function withName(address: string, name: string): string {
  const url = new URL(address);
  url.pathname = `/${name}`;
  return url.href;
}
