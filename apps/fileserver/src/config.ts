import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** The task of this run. */
export type Task = 'serve' | 'help' | 'makeConnection' | 'listConnections' | { readonly revoke: string };

export interface Config {
  readonly task: Task;
  /** Empty when the task needs none. */
  readonly root: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly passwordFile: string;
  readonly state: string;
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly readOnly: boolean;
}

/** An invalid setting; the message is for the user. */
export class ConfigError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

/** Options that are also settings (`--tls-cert` is SHEAF_FILESERVER_TLS_CERT); an option wins. */
const settings = {
  root: 'The folder to export.',
  host: 'Address to listen on; 127.0.0.1 unless told. 0.0.0.0 listens on all.',
  port: 'Port to listen on; 8190 unless told.',
  user: 'User name for links of the type "Sheaf File Server".',
  'password-file': 'File that holds the password of that user, and may end with a line break.',
  state: 'File that keeps the hashes of connection keys; sheaf-fileserver/connections.json in the state folder of the user unless told.',
  'tls-cert': 'PEM file of the certificate chain; with it and its key the server speaks HTTPS.',
  'tls-key': 'PEM file of the private key.',
} as const;
type Setting = keyof typeof settings;

const switches = {
  'read-only': 'Nothing can be changed (SHEAF_FILESERVER_READ_ONLY=true).',
  'make-connection': 'Prints a new connection JSON, for links of the type "Sheaf Gateway", and ends.',
  'list-connections': 'Prints the ids of all connection JSONs, and ends.',
  help: 'Prints this, and ends.',
} as const;

const variableOf = (name: string): string => `SHEAF_FILESERVER_${name.toUpperCase().replaceAll('-', '_')}`;

export function describeOptions(): string {
  const line = (option: string, about: string) => `  --${option.padEnd(24)}${about}`;
  return [
    'The Sheaf file server: exports a folder to Sheaf over HTTP.',
    '',
    'Settings, as options or as environment variables (--tls-cert is SHEAF_FILESERVER_TLS_CERT):',
    ...Object.entries(settings).map(([name, about]) => line(`${name} ...`, about)),
    ...Object.entries(switches).map(([name, about]) => line(name, about)),
    line('revoke-connection ID', 'Makes a connection JSON worthless, and ends.'),
    '',
  ].join('\n');
}

/** Reads the command line and the environment; throws ConfigError. */
export function readConfig(args: readonly string[], environment: Environment = process.env): Config {
  const values = parse(args);
  const text = (name: Setting): string => values[name] ?? environment[variableOf(name)] ?? '';
  // npm changes the folder before it runs a script, and says where it was called.
  const path = (name: string): string => (name === '' ? '' : resolve(environment['INIT_CWD'] ?? '', name));
  const task = taskOf(values);
  const config = {
    task,
    root: path(text('root')),
    host: text('host') || '127.0.0.1',
    port: portOf(text('port') || '8190'),
    user: text('user'),
    passwordFile: path(text('password-file')),
    state: path(
      text('state') || join(environment['XDG_STATE_HOME'] || join(homedir(), '.local/state'), 'sheaf-fileserver/connections.json'),
    ),
    readOnly: values['read-only'] ?? environment[variableOf('read-only')] === 'true',
  };
  const [cert, key] = [text('tls-cert'), text('tls-key')];
  if ((cert === '') !== (key === '')) throw new ConfigError('--tls-cert and --tls-key go together');
  if (task !== 'serve') return config;
  if (config.root === '') throw new ConfigError('--root is missing: which folder shall be exported?');
  if ((config.user === '') !== (config.passwordFile === '')) throw new ConfigError('--user and --password-file go together');
  // RFC 7617, section 2: the colon ends the user name.
  if (config.user.includes(':')) throw new ConfigError('--user must not have a colon');
  return { ...config, ...(cert !== '' && { tls: { cert: path(cert), key: path(key) } }) };
}

type Values = Readonly<Partial<Record<Setting | 'revoke-connection', string> & Record<keyof typeof switches, boolean>>>;

function parse(args: readonly string[]): Values {
  const words = [...Object.keys(settings), 'revoke-connection'].map((name) => [name, { type: 'string' as const }]);
  const flags = Object.keys(switches).map((name) => [name, { type: 'boolean' as const }]);
  try {
    return parseArgs({
      args: withJoinedId(args),
      options: Object.fromEntries([...words, ...flags]) as Record<string, { type: 'string' | 'boolean' }>,
    }).values;
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Rewrites the id to revoke with "=": an id may begin with a hyphen, which `parseArgs` would take for an option. */
function withJoinedId(args: readonly string[]): string[] {
  const at = args.indexOf('--revoke-connection');
  const id = args[at + 1];
  return at === -1 || id === undefined ? [...args] : args.toSpliced(at, 2, `--revoke-connection=${id}`);
}

function taskOf(values: Values): Task {
  if (values.help) return 'help';
  if (values['make-connection']) return 'makeConnection';
  if (values['list-connections']) return 'listConnections';
  const revoke = values['revoke-connection'];
  return revoke === undefined ? 'serve' : { revoke };
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new ConfigError('--port must be a number from 0 to 65535 (0 takes any free one)');
  return port;
}
