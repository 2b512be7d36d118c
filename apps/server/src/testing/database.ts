import { randomBytes } from 'node:crypto';
import { after } from 'node:test';
import { startPostgres } from '@sheaf/testbed';
import type { Engine } from '#/platform/db/schema/engine.ts';
import { makeTemplate } from './template.ts';

/**
 * SHEAF_TEST_DATABASE: `sqlite`, which is meant when it is absent; `postgres` for a cluster of this process; or the address of a Postgres database
 * with all tables and no rows, of which every test gets a copy, as scripts/postgres-tests.ts gives it.
 */
const asked = process.env['SHEAF_TEST_DATABASE'] ?? 'sqlite';
export const testEngine: Engine = asked === 'sqlite' ? 'sqlite' : 'postgres';

interface Options {
  readonly on?: Engine;
  /** Without tables. */
  readonly empty?: boolean;
}

/**
 * Makes a database for a test and gives its address, as SHEAF_DATABASE_URL takes it: '' for SQLite, whose database is a file in the test's data folder.
 * It is there until the last test of the process has ended, because a test may close what uses it in any order.
 */
export async function testDatabase({ on = testEngine, empty = false }: Options = {}): Promise<string> {
  if (on === 'sqlite') return '';
  const { template, run, made } = await (server ??= reachServer());
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Copied as files, which costs half of writing every page to the log: https://www.postgresql.org/docs/15/sql-createdatabase.html
  await run(`create database ${name}${empty ? '' : ` template ${nameOf(template)} strategy file_copy`}`);
  made.push(name);
  return withName(template, name);
}

interface Server {
  /** The address of the database that is copied. */
  readonly template: string;
  /** Names of the databases that this process has made. */
  readonly made: string[];
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
  const run = async (statement: string): Promise<void> => void (await pool.query(statement));
  const made: string[] = [];
  return {
    template,
    made,
    run,
    async stop() {
      if (!cluster) for (const name of made) await run(`drop database ${name} with (force)`);
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
