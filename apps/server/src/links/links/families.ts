import { type MessageCode, type SavedFamily, type Source, appError, findSource, linkFieldChoices } from '@sheaf/contract';

/** Specifics of a dialog family; everything else about saving a link is common. */
export interface Family {
  readonly name: SavedFamily;
  /** Fields of its connection info; others are dropped. */
  readonly fields: readonly string[];
  /** Allowed values of fields with choices; empty means the default. */
  readonly choices: Readonly<Record<string, readonly string[]>>;
  /** Default port of an address without a scheme. */
  readonly defaultPort?: number;
  /** Default provider of the call. */
  readonly provider: string;
  /** Fields that cannot be changed later. */
  readonly fixedFields: readonly string[];
  /**
   * Whether the saving call checks the connection by default; `unlessProven`: only without a successful check just before, and unless the user
   * continues anyway.
   */
  readonly provesOnSave: boolean | 'unlessProven';
  /** Refusals that a check throws as errors; any other makes the answer "not valid", and the user may continue. `all` leaves none. */
  readonly strict: 'all' | ReadonlySet<MessageCode>;
}

const login = ['server', 'username', 'password'] as const;
/** Mistakes in the form itself: nothing was tried. */
const formMistakes = [
  'INVALID_CONNECTION_JSON',
  'INVALID_KEY_FILE',
  'INVALID_PARAMETER',
  'MISSING_HOST',
  'MISSING_PARAMETER',
  'MISSING_USER_NAME',
  'NO_SCHEMA_SUPPLIED',
] as const satisfies readonly MessageCode[];
const advisory: ReadonlySet<MessageCode> = new Set<MessageCode>(formMistakes);
/** An object store's dialog marks the wrong field and does not allow to continue. */
const objectStoreErrors: ReadonlySet<MessageCode> = new Set<MessageCode>([
  ...formMistakes,
  'BUCKET_NOT_FOUND',
  'CANNOT_CONNECT',
  'CERTIFICATE_EXPIRED',
  'CERTIFICATE_MISSING',
  'CERTIFICATE_NOT_YET_VALID',
  'CERTIFICATE_SELF_SIGNED',
  'CERTIFICATE_UNTRUSTED',
  'CERTIFICATE_NAME_MISMATCH',
  'INVALID_KEY',
  'INVALID_SIGNATURE',
]);

export const families: Readonly<Record<SavedFamily, Family>> = {
  s3: {
    name: 's3',
    fields: ['host', 'bucketName', 'key', 'secret', 'defaultStorageClass', 'directoryStructure', 'region'],
    choices: linkFieldChoices.s3,
    provider: 'S3',
    fixedFields: ['bucketName', 'directoryStructure'],
    provesOnSave: false,
    strict: objectStoreErrors,
  },
  ftp: {
    name: 'ftp',
    fields: [...login, 'protocol', 'numConcurrentConnections', 'path', 'enforceSSL', 'acceptedCertificate'],
    choices: linkFieldChoices.ftp,
    defaultPort: 21,
    provider: 'FTP',
    fixedFields: [],
    provesOnSave: 'unlessProven',
    strict: advisory,
  },
  ofs: { name: 'ofs', fields: login, choices: {}, provider: 'OFS', fixedFields: [], provesOnSave: false, strict: advisory },
  sftp: {
    name: 'sftp',
    fields: [...login, 'numConcurrentConnections', 'accessType', 'path', 'keyfileContent', 'enforceSSL', 'acceptedHostKey'],
    choices: linkFieldChoices.sftp,
    defaultPort: 22,
    provider: 'SFTP',
    fixedFields: [],
    provesOnSave: false,
    strict: advisory,
  },
  webdav: {
    name: 'webdav',
    fields: [...login, 'authType', 'enforceSSL', 'acceptedCertificate', 'destinationUrl'],
    choices: linkFieldChoices.webdav,
    provider: 'WebDAV',
    fixedFields: [],
    provesOnSave: true,
    strict: 'all',
  },
  sheafgateway: {
    name: 'sheafgateway',
    fields: ['server', 'authjson'],
    choices: {},
    provider: 'SheafGateway',
    fixedFields: [],
    provesOnSave: true,
    strict: 'all',
  },
  oracledocuments: {
    name: 'oracledocuments',
    fields: ['url', 'username', 'password'],
    choices: {},
    provider: 'OracleDocuments',
    fixedFields: [],
    provesOnSave: false,
    strict: advisory,
  },
  b2: {
    name: 'b2',
    fields: ['accountId', 'applicationKey', 'allowWrite', 'account', 'buckets', 'namePrefix', 's3Endpoint'],
    choices: linkFieldChoices.b2,
    provider: 'B2',
    fixedFields: [],
    provesOnSave: false,
    strict: objectStoreErrors,
  },
};

/** The source of a call of the family; throws INVALID_SOURCE_TYPE for an unknown one or one of another family. */
export function sourceOf(family: Family, provider = family.provider): Source {
  const source = findSource(provider);
  if (source?.family !== family.name) throw appError('INVALID_SOURCE_TYPE', {});
  return source;
}
