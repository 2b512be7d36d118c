import type { Client } from 'pg';
import { DatabaseUnavailable } from './engines/unavailable.ts';

/** A row that grants a right was changed or deleted, on any instance. Carries ids only, no content. */
export interface Change {
  readonly table: string;
  /** The account that had the right. */
  readonly account: string;
  /** The object of the right: id of a session, code, token, organisation, Space, link, share or subscription. */
  readonly id: string;
}

interface Options {
  readonly databaseUrl: string;
  readonly onChange: (change: Change) => void;
  /** Called when any instance has enqueued a job. */
  readonly onJob: () => void;
  /** Called with what another instance, or this one, has sent about changed folders. */
  readonly onFolders: (payload: string) => void;
  /** Called whenever listening starts: earlier changes may have been missed. */
  readonly onGap: () => void;
  readonly onTrouble: (error: Error) => void;
}

export interface Following {
  close(): Promise<void>;
}

/** Channel that the triggers of the migration `014-changes` notify on. */
const channel = 'sheaf_change';
/** Channel for new jobs, without content. */
export const jobChannel = 'sheaf_job';
/** Channel for folders whose listings changed. */
export const folderChannel = 'sheaf_folder';
/** Milliseconds before reconnecting: first and longest pause. */
const shortestPause = 50;
const longestPause = 5_000;
/** Milliseconds between two liveness checks; also the timeout of their answer. */
const checkEvery = 15_000;
const answerWithin = 10_000;

/**
 * Listens to every committed change of rights of any instance, on a connection of its own that is reopened when it breaks. Resolves when it listens
 * or the first attempt has failed. With SQLite there is one instance, which knows its changes itself.
 */
export async function followChanges({ databaseUrl, onChange, onJob, onFolders, onGap, onTrouble }: Options): Promise<Following> {
  if (databaseUrl === '') return { close: async () => undefined };
  const { default: postgres } = await import('pg');
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pause = shortestPause;
  let isClosed = false;

  async function connect(): Promise<void> {
    const connection = new postgres.Client({ connectionString: databaseUrl, connectionTimeoutMillis: answerWithin, keepAlive: true });
    client = connection;
    connection.on('error', (error) => lose(connection, error));
    connection.on('end', () => lose(connection, new Error('the connection has ended')));
    connection.on('notification', ({ channel: source, payload }) => {
      if (source === jobChannel) return onJob();
      if (source === folderChannel) return onFolders(payload ?? '');
      const change = changeOf(payload);
      if (change) onChange(change);
    });
    try {
      await connection.connect();
      await connection.query(`listen ${channel}; listen ${jobChannel}; listen ${folderChannel}`);
    } catch (error) {
      lose(connection, error);
      return;
    }
    if (client !== connection) return;
    pause = shortestPause;
    timer = setTimeout(() => check(connection), checkEvery).unref();
    onGap();
  }

  /** Records once that a connection is broken and schedules the next one. */
  function lose(connection: Client, error: unknown): void {
    if (client !== connection) return;
    client = undefined;
    clearTimeout(timer);
    // Errors while closing a broken connection tell nothing new.
    connection.end().catch(() => undefined);
    if (isClosed) return;
    onTrouble(new DatabaseUnavailable(error));
    timer = setTimeout(() => void connect(), pause).unref();
    pause = Math.min(pause * 2, longestPause);
  }

  /** Detects a connection whose other end has vanished, which would stay silent forever. */
  function check(connection: Client): void {
    const late = setTimeout(() => lose(connection, new Error(`no answer within ${answerWithin} ms`)), answerWithin).unref();
    connection.query('select 1').then(
      () => {
        clearTimeout(late);
        if (client === connection) timer = setTimeout(() => check(connection), checkEvery).unref();
      },
      (error: unknown) => {
        clearTimeout(late);
        lose(connection, error);
      },
    );
  }

  await connect();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      const last = client;
      client = undefined;
      await last?.end();
    },
  };
}

/** Parses a payload; anybody with access to the database may notify on the channel. */
function changeOf(payload: string | undefined): Change | undefined {
  try {
    const value: unknown = JSON.parse(payload ?? '');
    if (typeof value !== 'object' || value === null) return undefined;
    const { table, account, id } = value as Record<string, unknown>;
    return typeof table === 'string' && typeof account === 'string' && typeof id === 'string' ? { table, account, id } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
