/** Numbers and literals of the specification, each defined once. */
export const limits = {
  /** Rows of a folder's first page, and of each further one by default. */
  pageSize: 25,
  /** Most rows of one answer. */
  maxPageSize: 1000,
  /** Window width in px below which the account column is hidden. */
  accountColumnWidth: 730,
  /** Window width in px below which the side menu fills the screen. */
  fullScreenMenuWidth: 700,
  /** Timeout for loading a script chunk, in ms. */
  chunkTimeout: 120_000,
  /** Milliseconds between two checks whether the app has started. */
  startPoll: 50,
  /** Days of the premium trial. */
  trialDays: 7,
  passwordLength: { min: 8, max: 200 },
  nameLength: { max: 200 },
  /** Longest file or folder name in UTF-8 bytes. */
  fileNameBytes: 255,
  /** Deepest path below a shared item, in folders, and its longest text in UTF-8 bytes. */
  sharedPathSegments: 100,
  sharedPathBytes: 8192,
  /** The latest end that an owner may give a share, in epoch seconds: the year 10000. */
  latestShareEnd: 253_402_300_800,
  /** Most items chosen for one transfer; folders count once. */
  transferSources: 1000,
  /** Days in which a copy or move can be undone; then what it has replaced is removed for good. */
  undoDays: 30,
  /** Most days and runs for which a schedule keeps what its runs replace and delete, unless it keeps it for ever. */
  versionDays: 3650,
  versionRuns: 1000,
  /** Most items of one archive call. */
  archiveItems: 1000,
  /** Most running uploads of one account whose progress is kept. */
  watchedUploads: 100,
  /** Most uploads of one account that have begun and not ended. */
  unfinishedUploads: 1000,
  /** Most finished uploads of one account that a client may still ask for. */
  finishedUploads: 1000,
  /** Most uploads of one account that run in one process at a time: each holds up to a MiB in memory. */
  runningUploads: 64,
  /** Most bytes of one request whose checksum is compared: they are held in memory until it is. */
  checkedUploadBytes: 8 * 1024 * 1024,
  /** Most such requests of one account at a time; others wait. */
  checkedUploads: 4,
  /** Longest `Upload-Metadata` header, in characters. */
  uploadMetadata: 8192,
  /** Most open streams of events of one account in one process: each tab has one. */
  eventStreams: 32,
  /** Most items of one share. */
  sharedItems: 100,
  /** Most uploads into one share, and of one network into it, that have begun and not ended. */
  visitorsUploads: { ofShare: 2000, ofNetwork: 200 },
  /** Most uploads of one network into one share that run in one process at a time, of the {@link limits.runningUploads} of the share. */
  visitorsRunningUploads: 16,
  /** Most concurrent calls of visitors from one network. */
  strangersCalls: 128,
} as const;

/** Mask of a stored secret outside the server; sending it back keeps the stored one. */
export const secretMask = '••••••••';

/** Characters forbidden in names of links, Spaces and organisations (error 222). */
export const forbiddenInNames = [':', '/', '\\', '<', '>', '?', '*', '|'] as const;

export const concurrentConnectionChoices = [1, 2, 3, 4, 5, 10, 20] as const;
export const defaultConnections = { sftp: 3, ftp: 2 } as const;

export const ftpProtocols = { plain: 'FTP', explicitTls: 'FTPS (Explicit TLS)' } as const;
export const sftpAccessTypes = { internet: 'Internet accessible sftp server', privateNetwork: 'Private network' } as const;
export const directoryStructures = { enhanced: 'ENHANCED SHEAF FS', simple: "SIMPLE '/' DELIMITED" } as const;
export const storageClasses = { standard: 'STANDARD', infrequent: 'STANDARD_IA', reduced: 'REDUCED REDUNDANCY' } as const;
export const certificateRules = { enforce: 'ENFORCE_MATCH', ignore: 'IGNORE_MATCH' } as const;
/** Whether a B2 link may write. */
export const allowWriteChoices = { allow: 'ALLOW_WRITE', disallow: 'DISALLOW_WRITE' } as const;
export const webdavAuthTypes = ['basic', 'digest'] as const;
const numberChoices = concurrentConnectionChoices.map(String);
/** Fields of connection info with a fixed set of values, by dialog family. */
export const linkFieldChoices = {
  s3: {
    // REDUCED_REDUNDANCY is Amazon's own name of the class.
    defaultStorageClass: [...Object.values(storageClasses), 'REDUCED_REDUNDANCY'],
    directoryStructure: Object.values(directoryStructures),
  },
  ftp: {
    protocol: Object.values(ftpProtocols),
    numConcurrentConnections: numberChoices,
    enforceSSL: Object.values(certificateRules),
  },
  sftp: {
    accessType: Object.values(sftpAccessTypes),
    numConcurrentConnections: numberChoices,
    enforceSSL: Object.values(certificateRules),
  },
  webdav: { authType: webdavAuthTypes, enforceSSL: Object.values(certificateRules) },
  b2: { allowWrite: Object.values(allowWriteChoices) },
} as const satisfies Partial<Record<string, Readonly<Record<string, readonly string[]>>>>;
export const defaultNewFolderName = 'New Folder';

/** Names of the cookies. The page reads `tag` and sends it back as rTag; `device` identifies a browser that has signed in before. */
export const cookies = { session: 'sid', tag: 'sh', device: 'dv', menu: 'menucookie', menuPin: 'menupin', track: 'track' } as const;
