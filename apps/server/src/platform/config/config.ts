import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { ProviderApp } from '@sheaf/connectors';
import {
  type Reading,
  BadValue,
  address,
  blocks,
  collector,
  emails,
  headerFields,
  hostNames,
  key,
  keys,
  logoFile,
  oneOf,
  optionalPort,
  origin,
  passphrase,
  plain,
  port,
  shortName,
} from './config-values.ts';
import { type OidcSettings, aboutOidc, isOidcSetting, oidcRows, readOidc } from './oidc-settings.ts';
import { withFiles } from './setting-files.ts';
import { type ShownSetting, shownSettings } from './shown-settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface Setting<T> {
  readonly name: string;
  readonly preset: string;
  readonly about: string;
  readonly read: Reading<T>;
}

const setting = <T>(name: string, preset: string, about: string, read: Reading<T>): Setting<T> => ({ name, preset, about, read });

const settings = {
  host: setting('SHEAF_HOST', '127.0.0.1', 'Address to listen on.', plain),
  port: setting('SHEAF_PORT', '8180', 'Port to listen on.', port),
  sftpPort: setting('SHEAF_SFTP_PORT', '', 'Port for programs that speak SFTP; empty: off.', optionalPort),
  publicUrl: setting('SHEAF_PUBLIC_URL', '', 'Where browsers reach this installation; empty: http:// with host and port.', origin),
  dataDir: setting('SHEAF_DATA_DIR', './data', 'Folder for the embedded database, the generated key and the outbox.', (text) =>
    resolve(text),
  ),
  clientBundles: setting(
    'SHEAF_CLIENT_BUNDLES',
    '',
    'Folder of the clients for computers that `npm run client` has built; empty: where it builds them.',
    (text) => (text === '' ? '' : resolve(text)),
  ),
  databaseUrl: setting(
    'SHEAF_DATABASE_URL',
    '',
    'postgres://... for Postgres; empty: embedded SQLite in the data folder.',
    address('postgres:', 'postgresql:'),
  ),
  secretKey: setting(
    'SHEAF_SECRET_KEY',
    '',
    '32 bytes in base64 that seal stored secrets; empty: generated once into the data folder.',
    key,
  ),
  previousSecretKeys: setting(
    'SHEAF_PREVIOUS_SECRET_KEYS',
    '',
    'Earlier values of SHEAF_SECRET_KEY; what they sealed is sealed anew at start.',
    keys,
  ),
  smtpUrl: setting(
    'SHEAF_SMTP_URL',
    '',
    'smtp://... or smtps://...; empty: mails go to the outbox in the data folder.',
    address('smtp:', 'smtps:'),
  ),
  mailFrom: setting('SHEAF_MAIL_FROM', 'Sheaf <sheaf@localhost>', 'Sender of the mails.', plain),
  billing: setting('SHEAF_BILLING', 'sandbox', 'sandbox, recurly, or off: everything is included.', oneOf('sandbox', 'recurly', 'off')),
  recurlyApiKey: setting('SHEAF_RECURLY_API_KEY', '', 'Private API key of the Recurly site.', plain),
  recurlyPublicKey: setting('SHEAF_RECURLY_PUBLIC_KEY', '', 'Public key with which browsers turn cards into tokens.', plain),
  recurlyWebhookKey: setting('SHEAF_RECURLY_WEBHOOK_KEY', '', 'Secret key of the endpoint of JSON webhooks at /webhooks/recurly.', plain),
  recurlyApiUrl: setting('SHEAF_RECURLY_API_URL', 'https://v3.recurly.com', "Recurly's API.", address('http:', 'https:')),
  recurlyScriptUrl: setting(
    'SHEAF_RECURLY_SCRIPT_URL',
    'https://js.recurly.com/v4/recurly.js',
    'The script of the card form.',
    address('http:', 'https:'),
  ),
  privateNetworks: setting(
    'SHEAF_PRIVATE_NETWORKS',
    'auto',
    'Loopback and private addresses links may point at: auto (only while SHEAF_HOST and SHEAF_PUBLIC_URL both are loopback addresses), allow, deny, or CIDR blocks.',
    blocks('auto', 'allow', 'deny'),
  ),
  operators: setting(
    'SHEAF_OPERATORS',
    '',
    'E-mail addresses of those who run this installation; empty: everyone signed in, while only this machine can reach it, else nobody.',
    emails,
  ),
  signup: setting(
    'SHEAF_SIGNUP',
    'auto',
    'Who may create an account: open (everyone), invited, closed, or auto (open while only this machine can reach Sheaf or SHEAF_SIGNUP_DOMAINS is set, else invited). The first account may always be created.',
    oneOf('auto', 'open', 'invited', 'closed'),
  ),
  signupDomains: setting(
    'SHEAF_SIGNUP_DOMAINS',
    '',
    'While sign-up is open: the e-mail domains that need no invitation; empty: all.',
    hostNames,
  ),
  backup: setting(
    'SHEAF_BACKUP',
    'daily',
    'daily: a backup each night and before an upgrade changes tables, of which fourteen are kept; upgrade: only the latter; off.',
    oneOf('daily', 'upgrade', 'off'),
  ),
  backupPassphrase: setting(
    'SHEAF_BACKUP_PASSPHRASE',
    '',
    "Seals backups and puts the installation's key into them; empty: the key seals them, and has to be kept apart.",
    passphrase,
  ),
  backupFolder: setting(
    'SHEAF_BACKUP_FOLDER',
    '',
    'The linkUri of a folder on a link of an operator, to which each backup is uploaded; empty: only the data folder has them.',
    plain,
  ),
  crawl: setting(
    'SHEAF_CRAWL',
    'on',
    'Reading folders that nobody has opened, so that the search finds what is in them: on (each owner may switch a link off), asked (only links whose owner switches it on), or off.',
    oneOf('on', 'asked', 'off'),
  ),
  signIn: setting(
    'SHEAF_SIGN_IN',
    'all',
    'providers: people sign in with a provider or a passkey, and operators alone with a password too; needs a provider that is set up.',
    oneOf('all', 'providers'),
  ),
  agents: setting(
    'SHEAF_AGENTS',
    'on',
    'Programs that act for people through the Model Context Protocol, at /mcp: on (each person lets them in), or off.',
    oneOf('on', 'off'),
  ),
  forumUrl: setting('SHEAF_FORUM_URL', '', 'Where users ask each other; empty: nothing leads to a forum.', address('http:', 'https:')),
  supportUrl: setting(
    'SHEAF_SUPPORT_URL',
    '',
    'Where users reach whoever helps them, https:// or mailto:; empty: nothing offers contact.',
    address('http:', 'https:', 'mailto:'),
  ),
  brandName: setting('SHEAF_BRAND_NAME', '', 'Name of this installation, shown in place of Sheaf; empty: Sheaf.', shortName),
  brandLogo: setting(
    'SHEAF_BRAND_LOGO',
    '',
    'File of a logo (SVG, PNG or WebP, 256 KiB at most) that is shown in place of the sheaf; empty: the sheaf.',
    logoFile,
  ),
  imprintUrl: setting('SHEAF_IMPRINT_URL', '', 'Page that says who runs this installation; empty: none.', address('http:', 'https:')),
  privacyUrl: setting('SHEAF_PRIVACY_URL', '', 'Page about the protection of personal data; empty: none.', address('http:', 'https:')),
  metricsToken: setting(
    'SHEAF_METRICS_TOKEN',
    '',
    'Bearer token that opens /metrics; empty: open to this machine only, and only while nobody else can reach Sheaf.',
    plain,
  ),
  otlpUrl: setting(
    'SHEAF_OTLP_URL',
    '',
    'Collector of OpenTelemetry that gets traces and metrics as OTLP over HTTP, such as http://127.0.0.1:4318; empty: off.',
    collector,
  ),
  otlpHeaders: setting(
    'SHEAF_OTLP_HEADERS',
    '',
    'Headers for that collector, such as authorization=Bearer%20abc; several are separated by commas.',
    headerFields,
  ),
  allowedHosts: setting(
    'SHEAF_ALLOWED_HOSTS',
    '',
    "Further names that requests may call this server by, besides SHEAF_PUBLIC_URL's, SHEAF_HOST, localhost and plain addresses.",
    hostNames,
  ),
  trustedProxies: setting(
    'SHEAF_TRUSTED_PROXIES',
    '',
    'CIDR blocks of reverse proxies whose X-Forwarded-For, and traceparent, is believed.',
    blocks(),
  ),
  logLevel: setting(
    'SHEAF_LOG_LEVEL',
    'info',
    'fatal, error, warn, info or debug (which logs each request).',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
  ),
} satisfies Record<string, Setting<unknown>>;

const aboutProvider = 'Of the application registered with a provider.';

/** Settings that billing by Recurly requires. */
const recurlyKeys = (['recurlyApiKey', 'recurlyPublicKey', 'recurlyWebhookKey'] as const).map((field) => ({
  field,
  name: settings[field].name,
}));

/** Settings of one provider whose sign-in or connector needs a registered application. */
export interface ProviderSettings extends ProviderApp {
  readonly issuerUrl?: string;
}
const providerFields = {
  CLIENT_ID: { field: 'clientId', read: plain },
  CLIENT_SECRET: { field: 'clientSecret', read: plain },
  API_URL: { field: 'apiUrl', read: address('http:', 'https:') },
  AUTH_URL: { field: 'authUrl', read: address('http:', 'https:') },
  TOKEN_URL: { field: 'tokenUrl', read: address('http:', 'https:') },
  UPLOAD_URL: { field: 'uploadUrl', read: address('http:', 'https:') },
  ISSUER_URL: { field: 'issuerUrl', read: address('http:', 'https:') },
} as const;
const issuers = {
  google: 'https://accounts.google.com',
  microsoft: 'https://login.microsoftonline.com/common/v2.0',
};

type Values = { readonly [K in keyof typeof settings]: ReturnType<(typeof settings)[K]['read']> };
export interface Config extends Omit<Values, 'allowedHosts' | 'operators' | 'privateNetworks' | 'signup'> {
  /** `auto` is resolved already. */
  readonly signup: 'open' | 'invited' | 'closed';
  /** Addresses in lower case; `everyone` when none is configured and Sheaf serves one person on one machine. */
  readonly operators: 'everyone' | readonly string[];
  /** Whether only this machine can reach Sheaf: it listens on a loopback address and has no other public one. */
  readonly isPrivate: boolean;
  /** Accepted names of the Host header, in lower case; plain IP addresses are always accepted. */
  readonly allowedHosts: readonly string[];
  /** `auto` is resolved already. */
  readonly privateNetworks: 'allow' | 'deny' | readonly string[];
  /** Keyed by provider in lower case: `SHEAF_DROPBOX_CLIENT_ID` → dropbox. */
  readonly providers: Readonly<Record<string, ProviderSettings>>;
  /** Sign-in providers of the operator's own, keyed by name in lower case. */
  readonly oidc: Readonly<Record<string, OidcSettings>>;
  /** Names that begin with SHEAF_ but are no setting: probably misspelt. */
  readonly unknown: readonly string[];
  /** All settings as they may be shown to operators; of providers those that are given. */
  readonly shown: readonly ShownSetting[];
}

/** One line per invalid setting. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`These settings cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Reads and checks all settings; throws a ConfigError that names every invalid one. Nothing else reads the environment. */
export function readConfig(given: Environment = process.env): Config {
  const problems: string[] = [];
  const { environment, files } = withFiles(given, (problem) => problems.push(problem));
  const readOne = <T>(name: string, text: string, read: Reading<T>): T | undefined => {
    try {
      return read(text);
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      problems.push(`${name} ${error.message}`);
      return undefined;
    }
  };
  const known = new Set<string>(Object.values(settings).map(({ name }) => name));
  const values = Object.fromEntries(
    Object.entries(settings).map(([field, { name, preset, read }]) => [field, readOne<unknown>(name, environment[name] || preset, read)]),
  ) as Values;

  const providers: Record<string, Record<string, string>> = {
    google: { issuerUrl: issuers.google },
    microsoft: { issuerUrl: issuers.microsoft },
  };
  const unknown: string[] = [];
  const ofProviders: { name: string; preset: string; about: string }[] = [];
  for (const [name, text = ''] of Object.entries(environment)) {
    if (!name.startsWith('SHEAF_') || known.has(name) || name.startsWith('SHEAF_TEST_') || text === '') continue;
    if (isOidcSetting(name)) {
      ofProviders.push({ name, preset: '', about: aboutOidc(name) });
      continue;
    }
    const [, provider, suffix] = /^SHEAF_([A-Z0-9]+)_([A-Z]+_(?:ID|SECRET|URL))$/.exec(name) ?? [];
    const row = Object.entries(providerFields).find(([key_]) => key_ === suffix)?.[1];
    if (provider === undefined || row === undefined) unknown.push(name);
    else {
      (providers[provider.toLowerCase()] ??= {})[row.field] = readOne(name, text, row.read) ?? '';
      ofProviders.push({ name, preset: '', about: aboutProvider });
    }
  }
  const oidc = readOidc(environment, (problem) => problems.push(problem));
  if (values.billing === 'recurly') {
    for (const { field, name } of recurlyKeys) if (!values[field]) problems.push(`${name} must be set while SHEAF_BILLING is recurly`);
  }
  if (
    values.signIn === 'providers' &&
    Object.keys(oidc).length === 0 &&
    !providers['google']?.['clientId'] &&
    !providers['microsoft']?.['clientId']
  )
    problems.push(`${settings.signIn.name} cannot be providers without one that is set up: nobody could sign in`);
  // Without a mail an address is only typed, and everybody can type one of that domain.
  if (values.signupDomains?.length > 0 && values.smtpUrl === '')
    problems.push(`${settings.signupDomains.name} needs SHEAF_SMTP_URL: only a mail proves that somebody has an address of that domain`);
  if (problems.length > 0) throw new ConfigError(problems);

  const publicUrl = values.publicUrl || `http://${isIP(values.host) === 6 ? `[${values.host}]` : values.host}:${values.port}`;
  // Behind a reverse proxy Sheaf listens on a loopback address too, but is public.
  const isPrivate = isLoopback(values.host) && isLoopback(new URL(publicUrl).hostname.replace(/^\[|\]$/g, ''));
  const privateNetworks = values.privateNetworks === 'auto' ? (isPrivate ? 'allow' : 'deny') : values.privateNetworks;
  const signup = values.signup === 'auto' ? (isPrivate || values.signupDomains.length > 0 ? 'open' : 'invited') : values.signup;
  const publicHost = new URL(publicUrl).hostname;
  return deepFreeze({
    ...values,
    publicUrl,
    isPrivate,
    allowedHosts: [...new Set([publicHost, values.host.toLowerCase(), 'localhost', ...values.allowedHosts])],
    operators: values.operators.length === 0 && isPrivate ? 'everyone' : values.operators,
    privateNetworks: privateNetworks as Config['privateNetworks'],
    signup,
    providers,
    oidc,
    unknown,
    shown: shownSettings([...Object.values(settings), ...ofProviders], environment, files),
  });
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
const deepFreeze = <T extends object>(value: T): T => {
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null && !ArrayBuffer.isView(inner)) deepFreeze(inner);
  return Object.freeze(value);
};

/** Names of all settings but those of providers. */
export const settingNames: readonly string[] = Object.values(settings).map(({ name }) => name);

/** All settings as a table in Markdown, for docs/settings.md. */
export function settingsTable(): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
  const row = (name: string, preset: string, about: string): string =>
    `| \`${name}\` | ${preset === '' ? '' : `\`${preset}\``} | ${cell(about)} |`;
  return [
    '| Setting | Preset | Meaning |',
    '| --- | --- | --- |',
    ...Object.values(settings).map(({ name, preset, about }) => row(name, preset, about)),
    ...oidcRows.map(({ name, preset, about }) => row(name, preset, about)),
    ...Object.keys(providerFields).map((suffix) => row(`SHEAF_<PROVIDER>_${suffix}`, '', aboutProvider)),
  ].join('\n');
}

/** The text of `--help`: every setting with its default. */
export function describeSettings(): string {
  const lines = Object.values(settings).map(
    ({ name, preset, about }) => `  ${name.padEnd(24)} ${about}${preset === '' ? '' : ` (${preset})`}`,
  );
  return [
    'Sheaf gathers your storages in one place. Settings are environment variables:',
    '',
    ...lines,
    '',
    'For providers with an application of yours (also GOOGLE and MICROSOFT for signing in):',
    ...Object.keys(providerFields).map((suffix) => `  SHEAF_<PROVIDER>_${suffix}`),
    '',
    'For each OpenID Connect provider of your own:',
    ...oidcRows.map(({ name, preset, about }) => `  ${name.padEnd(32)} ${about}${preset === '' ? '' : ` (${preset})`}`),
    '',
  ].join('\n');
}
