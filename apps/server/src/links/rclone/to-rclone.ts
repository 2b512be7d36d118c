import { parseServerAddress } from '@sheaf/connectors';
import {
  type DialogFamily,
  type Source,
  allowWriteChoices,
  certificateRules,
  directoryStructures,
  ftpProtocols,
  storageClasses,
} from '@sheaf/contract';
import { obscure } from './obscure.ts';
import { withoutSlashes } from './plan.ts';
import type { Section } from './rclone-conf.ts';
import { freeName } from './remote-names.ts';

/** A link with everything that opens it. */
export interface WholeLink {
  readonly name: string;
  readonly source: Source;
  /** Connection info, including secrets. */
  readonly info: Readonly<Record<string, string>>;
}

/** A link in rclone's terms. */
interface Written {
  readonly type: string;
  readonly options: Readonly<Record<string, string>>;
  /** Start bucket or folder of the link; rclone's remotes always start at the top. */
  readonly start?: string;
  readonly notes?: readonly string[];
}

type Info = WholeLink['info'];

/** The sections of all links, in order; a link that rclone cannot reach becomes a comment. */
export function toRclone(links: readonly WholeLink[]): { sections: Section[]; left: string[] } {
  const sections: Section[] = [];
  const left: string[] = [];
  const taken = new Set<string>();
  for (const link of links) {
    const written = write(link);
    if (typeof written === 'string') {
      left.push(`${link.source.title} "${link.name}": ${written}`);
      continue;
    }
    const { type, options, start = '', notes = [] } = written;
    const name = freeName(link.name, taken);
    if (start === '') {
      sections.push({ name, options: { type, ...options }, comments: notes });
      continue;
    }
    const base = freeName(`${name} account`, taken);
    sections.push({ name: base, options: { type, ...options }, comments: notes });
    sections.push({ name, options: { type: 'alias', remote: `${base}:${start}` } });
  }
  return { sections, left };
}

function write({ source, info }: WholeLink): Written | string {
  // A line break in a value could add options.
  if (Object.entries(info).some(([field, value]) => !multiline.has(field) && /[\p{Cc}\u2028\u2029]/u.test(value)))
    return 'a setting holds a line break.';
  const family = source.family === undefined ? undefined : writers[source.family];
  return family ? family(info, source) : 'rclone has no such storage.';
}
const multiline: ReadonlySet<string> = new Set(['keyfileContent', 'serviceAccountKey', 'password', 'grant', 'authjson']);

const writers: Readonly<Record<DialogFamily, ((info: Info, source: Source) => Written | string) | undefined>> = {
  sftp(info) {
    const { host, port } = parseServerAddress(info['server'] ?? '', 22);
    const { username = '', password = '', keyfileContent = '', path = '' } = info;
    const key = keyfileContent.trim();
    if (key.startsWith('PuTTY-User-Key-File')) return 'rclone cannot read keys in the form of PuTTY.';
    const secrets =
      key === '' ? { pass: obscure(password) } : { key_pem: key.replaceAll(/\r?\n/g, String.raw`\n`), ...pass('key_file_pass', password) };
    return {
      type: 'sftp',
      options: { host, port: String(port), user: username, ...secrets },
      start: path,
      notes: ['rclone checks the host key only with known_hosts_file.'],
    };
  },
  ftp(info) {
    const { host, port } = parseServerAddress(info['server'] ?? '', 21);
    const isSecure = (info['protocol'] ?? ftpProtocols.explicitTls).trim().toUpperCase() !== ftpProtocols.plain;
    return {
      type: 'ftp',
      options: {
        host,
        port: String(port),
        user: info['username'] ?? '',
        ...pass('pass', info['password']),
        ...(isSecure && { explicit_tls: 'true' }),
        ...(isSecure && info['enforceSSL'] === certificateRules.ignore && { no_check_certificate: 'true' }),
        concurrency: info['numConcurrentConnections'] ?? '2',
      },
      start: info['path']?.trim() ?? '',
    };
  },
  webdav(info, source) {
    if ((info['authType'] ?? 'basic').trim().toLowerCase() === 'digest') return 'rclone does not sign in by digest.';
    const user = info['username']?.trim() ?? '';
    const url = davAddress(info['server'] || source.serverUrl, info['destinationUrl'] || source.destinationUrl, user);
    const isLax = info['enforceSSL'] === certificateRules.ignore;
    return {
      type: 'webdav',
      options: { url, vendor: 'other', user, ...pass('pass', info['password']) },
      ...(isLax && { notes: ['The certificate of this server is not checked by Sheaf; rclone needs --no-check-certificate for that.'] }),
    };
  },
  s3(info, source) {
    const { key = '', secret = '', bucketName = '', host = '', region = '' } = info;
    const notes =
      info['directoryStructure'] === directoryStructures.enhanced ? ['Sheaf keeps folders of this bucket in a way of its own.'] : [];
    if (source.provider === 'AzureStorage') {
      const endpoint = host === '' ? {} : { endpoint: withScheme(host) };
      return { type: 'azureblob', options: { account: key, key: secret, ...endpoint }, start: bucketName, notes };
    }
    const endpoint = source.serverFixed || host === '' ? (source.serverUrl ?? '') : host;
    const storageClass = s3Classes[info['defaultStorageClass'] ?? ''];
    return {
      type: 's3',
      options: {
        provider: s3Providers[source.provider] ?? 'Other',
        env_auth: 'false',
        access_key_id: key,
        secret_access_key: secret,
        ...(region !== '' && { region }),
        ...(endpoint !== '' && { endpoint }),
        ...(storageClass !== undefined && { storage_class: storageClass }),
      },
      start: bucketName,
      notes,
    };
  },
  b2: (info) => ({
    type: 'b2',
    options: { account: info['accountId'] ?? '', key: info['applicationKey'] ?? '' },
    ...(info['allowWrite'] === allowWriteChoices.disallow && { notes: ['Sheaf only reads here; rclone also writes if the key may.'] }),
  }),
  googlecloud(info) {
    const key = info['serviceAccountKey']?.trim() ?? '';
    const start = info['bucketName'] ?? '';
    const type = 'google cloud storage';
    if (key === '') return { type, options: {}, start, notes: [signInNote] };
    return { type, options: { service_account_credentials: JSON.stringify(JSON.parse(key)) }, start };
  },
  // A grant belongs to this installation's application; rclone asks for its own.
  oauth(_, { provider }) {
    const type = signInTypes[provider];
    return type === undefined ? 'rclone has no such storage.' : { type, options: {}, notes: [signInNote] };
  },
  ofs: undefined,
  sheafgateway: undefined,
  oracledocuments: undefined,
};

const signInNote = 'Sign in once more, with "rclone config reconnect" and the name of this remote.';
const signInTypes: Readonly<Record<string, string>> = {
  Box: 'box',
  Dropbox: 'dropbox',
  GoogleDrive: 'drive',
  OneDrive: 'onedrive',
  OneDriveForBusiness: 'onedrive',
  Sharepoint: 'onedrive',
};
const s3Providers: Readonly<Record<string, string>> = {
  S3: 'AWS',
  Wasabi: 'Wasabi',
  DigitalOcean: 'DigitalOcean',
  DreamHost: 'Dreamhost',
  MinIO: 'Minio',
};
const s3Classes: Readonly<Record<string, string>> = {
  [storageClasses.infrequent]: 'STANDARD_IA',
  [storageClasses.reduced]: 'REDUCED_REDUNDANCY',
};

const pass = (option: string, password: string | undefined): Record<string, string> => (password ? { [option]: obscure(password) } : {});
const withScheme = (address: string): string => (/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`);

/** Start of a WebDAV link: the home if it is on the server, else the server. */
function davAddress(server = '', home = '', user = ''): string {
  const [address, place] = [server, home].map((text) => text.trim().replaceAll('{username}', encodeURIComponent(user)));
  const url = withoutSlashes(withScheme(address ?? ''));
  return place !== undefined && place !== '' && withScheme(place).startsWith(`${url}/`) ? withScheme(place) : url;
}
