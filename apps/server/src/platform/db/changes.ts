import type { Client } from 'pg';
import { DatabaseUnavailable } from './engines/unavailable.ts';

/** A row that grants a right has changed or gone, on whichever instance. It carries ids only, no content. */
export interface Change {
  readonly table: string;
  /** Whose right it was. */
  readonly account: string;
  /** What the right was about: the id of a session, code, token, organisation, space, link, share or subscription. */
  readonly id: string;
}

interface Options {
  readonly databaseUrl: string;
  readonly onChange: (change: Change) => void;
  /** Called when another instance, or this one, has enqueued a job. */
  readonly onJob: () => void;
  /** Called whenever listening begins: changes before that moment were not heard. */
  readonly onGap: () => void;
  readonly onTrouble: (error: Error) => void;
}

export interface Following {
  close(): Promise<void>;
}

/** The channel on which the triggers of the migration `014-changes` notify. */
const channel = 'sheaf_change';
/** The channel of new jobs, without content. */
export const jobChannel = 'sheaf_job';
/** Milliseconds before the connection is made again: the first time, and at most. */
const shortestPause = 50;
const longestPause = 5_000;
/** Milliseconds between two checks that the connection is alive, and in which it has to answer. */
const checkEvery = 15_000;
const answerWithin = 10_000;

/**
 * Hears every change of rights that any instance commits, on a connection of its own that is made again when it breaks. Resolves when it listens,
 * or when the first attempt has failed. With SQLite there is one instance, which knows its changes itself.
 */
export async function followChanges({ databaseUrl, onChange, onJob, onGap, onTrouble }: Options): Promise<Following> {
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
      const change = changeOf(payload);
      if (change) onChange(change);
    });
    try {
      await connection.connect();
      await connection.query(`listen ${channel}; listen ${jobChannel}`);
    } catch (error) {
      lose(connection, error);
      return;
    }
    if (client !== connection) return;
    pause = shortestPause;
    timer = setTimeout(() => check(connection), checkEvery).unref();
    onGap();
  }

  /** Takes note, once, that a connection is of no use, and plans the next one. */
  function lose(connection: Client, error: unknown): void {
    if (client !== connection) return;
    client = undefined;
    clearTimeout(timer);
    // Of a broken connection nothing more is to be heard.
    connection.end().catch(() => undefined);
    if (isClosed) return;
    onTrouble(new DatabaseUnavailable(error));
    timer = setTimeout(() => void connect(), pause).unref();
    pause = Math.min(pause * 2, longestPause);
  }

  /** A connection whose other end is gone without a word would stay silent for ever. */
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

/** Anybody with access to the database may notify on the channel. */
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
