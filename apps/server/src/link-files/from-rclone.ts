import {
  type SavedFamily,
  allowWriteChoices,
  certificateRules,
  defaultConnections,
  directoryStructures,
  ftpProtocols,
  sftpAccessTypes,
  storageClasses,
} from '@sheaf/contract';
import { reveal } from './obscure.ts';
import type { Section } from './rclone-conf.ts';

type Options = Section['options'];
type Info = Readonly<Record<string, string>>;

/** What a remote is in Sheaf's words. */
export type Plan =
  | {
      readonly kind: 'link';
      readonly family: SavedFamily | 'googlecloud';
      readonly provider: string;
      /** Connection info, secrets included; `bucketName` is empty until the user has named it. */
      readonly info: Info;
      readonly account: string;
      readonly needsBucket?: true;
      readonly note?: string;
    }
  | { readonly kind: 'authorize'; readonly provider: string }
  | { readonly kind: 'unsupported'; readonly reason: string };

const unsupported = (reason: string): Plan => ({ kind: 'unsupported', reason });

/** What becomes of the remote of that name; one that is not there is not supported either. */
export function planOf(sections: readonly Section[], name: string): Plan {
  const options = sections.find((section) => section.name === name)?.options;
  if (!options) return unsupported('There is no such remote in the file.');
  if (options['type'] !== 'alias') return plan(options, '');
  const [, base = '', start = ''] = /^([^:]*):(.*)$/.exec(options['remote'] ?? '') ?? [];
  const target = sections.find((section) => section.name === base)?.options;
  if (!target || target['type'] === 'alias') return unsupported('It leads to a remote that is not in the file.');
  return plan(target, start);
}

/** Names of the remotes that others lead into. */
export const basesOf = (sections: readonly Section[]): ReadonlySet<string> =>
  new Set(sections.flatMap(({ options }) => (options['type'] === 'alias' ? [(options['remote'] ?? '').replace(/:.*$/s, '')] : [])));

function plan(options: Options, start: string): Plan {
  const type = options['type'] ?? '';
  const read = readers[type];
  if (read) return read(options, start);
  const provider = signInProviders[type];
  if (provider !== undefined) return { kind: 'authorize', provider };
  if (wrappers.has(type)) return unsupported('It wraps another remote: Sheaf links the storage itself.');
  return unsupported(type === '' ? 'It says no type.' : `Sheaf has no storage of the type ${type}.`);
}

const badPassword = unsupported('Its password is not written as rclone does it.');
/** The revealed password; undefined when it cannot be read, empty when there is none. */
const passwordOf = (options: Options, option: string): string | undefined => (options[option] ? reveal(options[option]) : '');
const isTrue = (value: string | undefined): boolean => value?.toLowerCase() === 'true';
const addressOf = (options: Options): string => {
  const { host = '', port = '' } = options;
  const name = host.includes(':') ? `[${host}]` : host;
  return port === '' ? name : `${name}:${port}`;
};

const readers: Readonly<Record<string, (options: Options, start: string) => Plan>> = {
  sftp(options, start) {
    const password = passwordOf(options, 'pass');
    const passphrase = passwordOf(options, 'key_file_pass');
    if (password === undefined || passphrase === undefined) return badPassword;
    const key = options['key_pem']?.replaceAll(String.raw`\n`, '\n') ?? '';
    if (key === '' && options['key_file']) return unsupported('Its key is a file on your computer: link it by hand and paste the key.');
    if (key === '' && password === '') return unsupported('It signs in with an agent on your computer. Sheaf needs a password or a key.');
    return {
      kind: 'link',
      family: 'sftp',
      provider: 'SFTP',
      info: {
        server: addressOf(options),
        username: options['user'] ?? '',
        password: key === '' ? password : passphrase,
        ...(key !== '' && { keyfileContent: `${key.trim()}\n` }),
        path: start,
        numConcurrentConnections: String(defaultConnections.sftp),
        accessType: sftpAccessTypes.internet,
        enforceSSL: certificateRules.enforce,
      },
      account: `${options['user'] ?? ''}@${options['host'] ?? ''}`,
    };
  },
  ftp(options, start) {
    const password = passwordOf(options, 'pass');
    if (password === undefined) return badPassword;
    if (isTrue(options['tls'])) return unsupported('It uses implicit TLS. Sheaf speaks FTP and FTP with explicit TLS.');
    const isSecure = isTrue(options['explicit_tls']);
    return {
      kind: 'link',
      family: 'ftp',
      provider: 'FTP',
      info: {
        server: addressOf(options),
        protocol: isSecure ? ftpProtocols.explicitTls : ftpProtocols.plain,
        username: options['user'] ?? '',
        password,
        path: start,
        numConcurrentConnections: String(defaultConnections.ftp),
        enforceSSL: isTrue(options['no_check_certificate']) ? certificateRules.ignore : certificateRules.enforce,
      },
      account: `${options['user'] ?? ''}@${options['host'] ?? ''}`,
    };
  },
  webdav(options, start) {
    const password = passwordOf(options, 'pass');
    if (password === undefined) return badPassword;
    if (options['bearer_token'] || options['bearer_token_command'])
      return unsupported('It signs in with a token. Sheaf needs a user name and a password.');
    if (options['vendor'] === 'sharepoint-ntlm') return unsupported('It signs in with NTLM. Sheaf signs in by Basic or Digest.');
    const base = options['url']?.replace(/\/+$/, '') ?? '';
    const inside = start
      .split('/')
      .filter((part) => part !== '')
      .map(encodeURIComponent);
    const url = URL.parse(base);
    return {
      kind: 'link',
      family: 'webdav',
      provider: 'WebDAV',
      info: {
        server: [base, ...inside].join('/'),
        username: options['user'] ?? '',
        password,
        authType: 'basic',
        enforceSSL: certificateRules.enforce,
      },
      account: `${options['user'] ?? ''}@${url?.host ?? base}`,
    };
  },
  s3(options, start) {
    const {
      access_key_id: key = '',
      secret_access_key: secret = '',
      endpoint = '',
      region = '',
      storage_class: storageClass = '',
    } = options;
    if (isTrue(options['env_auth']) || key === '' || secret === '') return unsupported('Its keys are not in the file.');
    return inBucket(start, {
      family: 's3',
      provider: s3Providers[(options['provider'] ?? '').toLowerCase()] ?? (endpoint === '' ? 'S3' : 'S3Compat'),
      info: {
        host: endpoint,
        key,
        secret,
        region,
        defaultStorageClass: s3Classes[storageClass] ?? storageClasses.standard,
        directoryStructure: directoryStructures.simple,
      },
      account: key,
    });
  },
  azureblob(options, start) {
    const { account = '', key = '', endpoint = '' } = options;
    if (key === '') return unsupported('Sheaf needs the key of the storage account.');
    return inBucket(start, {
      family: 's3',
      provider: 'AzureStorage',
      info: {
        host: endpoint,
        key: account,
        secret: key,
        defaultStorageClass: storageClasses.standard,
        directoryStructure: directoryStructures.simple,
      },
      account,
    });
  },
  'google cloud storage'(options, start) {
    const credentials = options['service_account_credentials'] ?? '';
    if (credentials === '' && options['service_account_file'])
      return unsupported('Its key is a file on your computer: link it by hand and paste the key.');
    if (credentials === '') return { kind: 'authorize', provider: 'GoogleCloud' };
    return inBucket(start, { family: 'googlecloud', provider: 'GoogleCloud', info: { serviceAccountKey: credentials }, account: '' });
  },
  b2(options, start) {
    const { account = '', key = '' } = options;
    if (account === '' || key === '') return unsupported('Its key is not in the file.');
    if (start !== '') return unsupported('It begins inside a bucket. Sheaf links all buckets of a key.');
    return {
      kind: 'link',
      family: 'b2',
      provider: 'B2',
      info: { accountId: account, applicationKey: key, allowWrite: allowWriteChoices.allow },
      account,
    };
  },
};

/** A link to one bucket, which a remote names only where another leads into it. */
function inBucket(start: string, { info, account, ...rest }: Omit<Extract<Plan, { kind: 'link' }>, 'kind'>): Plan {
  const [bucketName = '', ...inside] = start.split('/').filter((part) => part !== '');
  if (inside.length > 0) return unsupported('It begins in a folder of a bucket. Sheaf links whole buckets.');
  const whole = { ...info, bucketName };
  if (bucketName === '') return { kind: 'link', ...rest, info: whole, account, needsBucket: true };
  return { kind: 'link', ...rest, info: whole, account: bucketName };
}

const s3Providers: Readonly<Record<string, string>> = {
  aws: 'S3',
  wasabi: 'Wasabi',
  digitalocean: 'DigitalOcean',
  dreamhost: 'DreamHost',
  minio: 'MinIO',
};
const s3Classes: Readonly<Record<string, string>> = {
  STANDARD_IA: storageClasses.infrequent,
  REDUCED_REDUNDANCY: storageClasses.reduced,
};
const signInProviders: Readonly<Record<string, string>> = {
  box: 'Box',
  drive: 'GoogleDrive',
  dropbox: 'Dropbox',
  onedrive: 'OneDrive',
};
const wrappers: ReadonlySet<string> = new Set(['cache', 'chunker', 'combine', 'compress', 'crypt', 'hasher', 'union']);
