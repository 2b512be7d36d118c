import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, run, startProcess, tempDir } from '../process.ts';

export interface Postgres {
  readonly port: number;
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  /** Restarts the server: `fast` closes every connection, `crash` kills it, so that it recovers from its log. */
  restart(way: 'fast' | 'crash'): Promise<void>;
  stop(): Promise<void>;
}

const user = 'postgres';

interface Options {
  /** Committed data survives a crash of the server, though not of the machine. */
  readonly isDurable?: boolean;
  /** Folder of its files; by default the one for temporary files. */
  readonly parent?: string;
}

/** Starts a temporary Postgres cluster that trusts everyone on 127.0.0.1 and does not sync to disk. Debian package: postgresql. */
export async function startPostgres({ isDurable = false, parent }: Options = {}): Promise<Postgres> {
  const bin = newestVersion();
  const folder = await tempDir('postgres', parent);
  const port = await freePort();
  const data = join(folder.path, 'data');
  try {
    // Postgres refuses to run as root.
    const asUser = process.getuid?.() === 0 ? ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'] : [];
    const command = (program: string, ...args: string[]): [string, string[]] => {
      const [first = '', ...rest] = [...asUser, join(bin, program), ...args];
      return [first, rest];
    };
    if (asUser.length > 0) await run('chown', [user, folder.path]);
    await run(
      ...command('initdb', '--pgdata', data, '--username', user, '--auth', 'trust', '--no-sync', '--encoding', 'UTF8', '--locale', 'C'),
      {
        cwd: folder.path,
      },
    );
    const settings = [
      'fsync=off',
      'full_page_writes=off',
      `synchronous_commit=${isDurable ? 'on' : 'off'}`,
      // Databases are created and dropped by the hundred, a few at a time; none is read after a crash.
      'wal_level=minimal',
      'max_wal_senders=0',
      'max_wal_size=4GB',
      'autovacuum=off',
      'max_connections=300',
      `unix_socket_directories=${folder.path}`,
      'listen_addresses=127.0.0.1',
    ];
    const psql = (...statements: string[]): Promise<string> =>
      run(join(bin, 'psql'), [
        '-h',
        '127.0.0.1',
        '-p',
        String(port),
        '-U',
        user,
        '-d',
        'postgres',
        ...statements.flatMap((text) => ['-c', text]),
      ]);
    const [program, args] = command('postgres', '-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting]));
    const ready = (): Promise<boolean> =>
      run(join(bin, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]).then(
        () => true,
        () => false,
      );
    const start = () =>
      startProcess({ command: program, args, cwd: folder.path, ready, debianPackage: 'postgresql', stopSignal: 'SIGQUIT' });
    let server = await start();
    let databases = 0;
    return {
      port,
      async createDatabase() {
        databases += 1;
        const name = `sheaf_${databases}`;
        await psql(`create database ${name}`);
        return `postgres://${user}@127.0.0.1:${port}/${name}`;
      },
      async restart(way) {
        // Postgres's fast and immediate shutdown: https://www.postgresql.org/docs/current/server-shutdown.html
        await server.stop(way === 'fast' ? 'SIGINT' : 'SIGQUIT');
        server = await start();
      },
      async stop() {
        await server.stop();
        await folder.remove();
      },
    };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/** Debian installs each version into a folder of its own. */
function newestVersion(): string {
  const root = '/usr/lib/postgresql';
  try {
    const newest = Math.max(...readdirSync(root).map(Number).filter(Number.isFinite));
    return join(root, String(newest), 'bin');
  } catch (error) {
    throw new Error('Postgres is not installed; on Debian: apt-get install postgresql', { cause: error });
  }
}
