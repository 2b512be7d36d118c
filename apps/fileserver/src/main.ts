import { once } from 'node:events';
import { readFile, realpath } from 'node:fs/promises';
import type { Server } from 'node:http';
import { basename, dirname, join, sep } from 'node:path';
import { sweepPartials, uploadLife } from './changing/sweep.ts';
import { type Config, ConfigError, describeOptions, readConfig } from './config.ts';
import { type ConnectionKeys, openConnectionKeys } from './connection-keys.ts';
import { exportFolder } from './listing/exported.ts';
import { createLogin } from './login.ts';
import { isSystemError } from './refusal.ts';
import { createFileServer } from './server.ts';
import { createThrottle } from './throttle.ts';

/** Milliseconds for running requests to finish after SIGTERM. */
const grace = 8000;
/** Ten wrong passwords in ten minutes. */
const forgiven = { limit: 10, window: 600 };

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const complain = (text: string): void => void process.stderr.write(`${text}\n`);

async function main(): Promise<void> {
  const config = readConfig(process.argv.slice(2));
  const { task } = config;
  const keys = openConnectionKeys(config.state);
  if (task === 'help') print(describeOptions());
  else if (task === 'makeConnection') print(JSON.stringify(await keys.make()));
  else if (task === 'listConnections') for (const { id, made } of await keys.list()) print(`${id}  ${made}`);
  else if (task === 'serve') await serve(config, keys);
  else if (!(await keys.revoke(task.revoke))) throw new ConfigError(`there is no connection JSON with the id ${task.revoke}`);
}

async function serve(config: Config, keys: ConnectionKeys): Promise<void> {
  const root = await readable('--root', realpath(config.root));
  await keepOutside(root, [config.passwordFile, config.state, config.tls?.key ?? '']);
  const account = config.passwordFile === '' ? undefined : { user: config.user, password: await readPassword(config.passwordFile) };
  const exported = await exportFolder(root);
  await using _held = await readable('--root', exported.hold([]));
  const server = createFileServer({
    exported,
    login: createLogin({ ...(account && { account }), keys, throttle: createThrottle({ ...forgiven, now: Date.now }) }),
    readOnly: config.readOnly,
    ...(config.tls && { tls: await readTls(config.tls) }),
    onFault: (error) => complain(String(error)),
  });
  const started = Date.now();
  server.listen({ host: config.host, port: config.port });
  await once(server, 'listening');
  announce(server, config);
  if (!account && (await keys.list()).length === 0)
    complain('Nobody can sign in yet: give --user and --password-file, or make a connection JSON with --make-connection.');
  const stopping = stopOnSignal(server);
  if (config.readOnly) return;
  setInterval(() => void sweep(root, started, stopping), sweepEvery).unref();
  await sweep(root, started, stopping);
}

/** ms between two looks for expired uploads. */
const sweepEvery = 24 * 3_600_000;

async function sweep(root: string, started: number, signal: AbortSignal): Promise<void> {
  try {
    const swept = await sweepPartials(Buffer.from(root), { broken: started, expired: Date.now() - uploadLife }, signal);
    if (swept > 0) print(`Deleted what ${swept} broken uploads had left.`);
  } catch (error) {
    complain(`Could not look for what broken uploads have left: ${String(error)}`);
  }
}

function announce(server: Server, { host, tls }: Config): void {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  print(`Sheaf file server is ready: ${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`);
  const isLocal = host === 'localhost' || host === '::1' || host.startsWith('127.');
  if (!tls && !isLocal)
    complain('Without --tls-cert, passwords and files cross the network in clear. Keep this server behind a proxy that speaks HTTPS.');
}

/** Stops the server gracefully at the first SIGTERM or SIGINT; the signal aborts then. */
function stopOnSignal(server: Server): AbortSignal {
  const stopping = new AbortController();
  const stop = () => {
    stopping.abort();
    server.close(() => process.exit(0));
    setInterval(() => server.closeIdleConnections(), 50).unref();
    setTimeout(() => server.closeAllConnections(), grace).unref();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  return stopping.signal;
}

/** Users with write access to the export must not create keys, and users with read access must not learn the password. */
async function keepOutside(root: string, files: readonly string[]): Promise<void> {
  for (const file of files.filter((name) => name !== '')) {
    const real = await realpathOrItself(file);
    if (`${real}${sep}`.startsWith(root.endsWith(sep) ? root : `${root}${sep}`))
      throw new ConfigError(`${file} must not lie in the exported folder`);
  }
}

/** The real path; for a missing file, its path in its real folder. */
async function realpathOrItself(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error;
    return dirname(file) === file ? file : join(await realpathOrItself(dirname(file)), basename(file));
  }
}

async function readPassword(file: string): Promise<string> {
  const password = (await readable('--password-file', readFile(file, 'utf8'))).replace(/\r?\n$/, '');
  if (password === '') throw new ConfigError('--password-file is empty');
  return password;
}

const readTls = async ({ cert, key }: { readonly cert: string; readonly key: string }) => ({
  cert: await readable('--tls-cert', readFile(cert, 'utf8')),
  key: await readable('--tls-key', readFile(key, 'utf8')),
});

async function readable<Found>(option: string, look: Promise<Found>): Promise<Found> {
  try {
    return await look;
  } catch (error) {
    throw new ConfigError(`${option} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

try {
  await main();
} catch (error) {
  complain(error instanceof ConfigError ? error.message : `The file server could not start: ${String(error)}`);
  process.exitCode = 1;
}
