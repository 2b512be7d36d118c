import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { type Config, ConfigError, describeSettings, readConfig } from './platform/config/config.ts';
import { protectDataFolder } from './platform/config/data-folder.ts';
import { TablesInUse } from './platform/db/migrations/lock-tables.ts';
import { NewerDatabase } from './platform/db/migrations/migrate.ts';
import { createLog } from './platform/log.ts';
import { createServices } from './services.ts';

/** Percent by which the heap may grow between two full collections. By default V8 lets it double and more, which is 100 MiB of garbage after a large listing. */
const heapGrowth = 20;

/** Milliseconds after the start until what only the start needed is released, which holds up everybody for some 40 ms. */
const settled = 2000;

/** Milliseconds for running requests to finish after SIGTERM. */
const grace = 8000;

/** Starts the server, or prints its settings (`--help`). Returns its log once it runs; otherwise says why on stderr. */
export async function run(): Promise<Logger | undefined> {
  if (process.argv.includes('--help')) {
    process.stdout.write(describeSettings());
    return undefined;
  }
  try {
    return await start(readConfig());
  } catch (error) {
    const reason = error instanceof NewerDatabase || error instanceof TablesInUse ? error.message : String(error);
    process.stderr.write(error instanceof ConfigError ? `${error.message}\n` : `Sheaf could not start: ${reason}\n`);
    process.exitCode = 1;
    return undefined;
  }
}

async function start(config: Config): Promise<Logger> {
  const log = createLog(config.logLevel);
  if (config.unknown.length > 0) log.warn({ names: config.unknown }, 'these environment variables look like settings but are none');
  await protectDataFolder(config.dataDir, (error) => log.warn({ err: error }, 'the data folder could not be closed to other users'));
  const services = await createServices(config, log);
  const app = await buildApp(services);
  await app.listen({ host: config.host, port: config.port });
  const { sftpPort } = config;
  if (sftpPort !== undefined) log.info({ port: await services.sftp.listen({ host: config.host, port: sftpPort }) }, 'SFTP is ready');
  const address = app.server.address();
  log.info({ url: config.publicUrl, ...(typeof address === 'object' ? { port: address?.port } : {}) }, 'Sheaf is ready');
  const access = { allow: 'allowed', deny: 'refused' };
  const networks =
    typeof config.privateNetworks === 'string' ? access[config.privateNetworks] : `allowed only in ${config.privateNetworks.join(', ')}`;
  log.info({ privateNetworks: config.privateNetworks }, 'addresses that links may point at');
  // For a person who has just typed `npm start`; the log's lines are for programs.
  process.stderr.write(
    `Sheaf is ready at ${config.publicUrl}\nLinks to loopback and private addresses are ${networks} (SHEAF_PRIVATE_NETWORKS).\n`,
  );
  // Only here: it would let readers of the log take over an installation that nobody has set up yet.
  const setupCode = await services.admission.setupCode();
  if (setupCode !== undefined)
    process.stderr.write(`Nobody has an account yet. Create the first one, the operator's, with the code ${setupCode}\n`);

  setTimeout(releaseMemory, settled).unref();

  const stop = (signal: NodeJS.Signals): void => {
    log.info({ signal }, 'stopping');
    // A connection that becomes idle after the stop would be kept for its client's next request.
    setInterval(() => app.server.closeIdleConnections(), 50).unref();
    setTimeout(() => app.server.closeAllConnections(), grace).unref();
    setTimeout(() => process.exit(0), grace + 1500).unref();
    // Returns jobs at once, so that other instances need not wait for their leases while requests finish.
    Promise.all([app.close(), services.sftp.close(), services.jobs.stop()])
      .then(() => services.close())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'could not stop in order');
          process.exit(1);
        },
      );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  return log;
}

/**
 * Collects all garbage and code that is not used any more, some 10 MiB after a start. V8 would do so only once the heap has grown, and lets it grow as it
 * likes until then: two collections less, a twentieth of the start.
 */
function releaseMemory(): void {
  setFlagsFromString(`--heap-growing-percent=${heapGrowth}`);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: object) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
