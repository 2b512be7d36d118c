/** Numbers and literals of the specification and limits of our own, each defined once. */
export const limits = {
  /** Default number of rows of a folder's page. */
  pageSize: 25,
  /** Maximum rows of one answer. */
  maxPageSize: 1000,
  /** Window width in px below which the account column is hidden. */
  accountColumnWidth: 730,
  /** Window width in px below which the side menu fills the screen. */
  fullScreenMenuWidth: 700,
  /** Timeout for loading a script chunk, in ms. */
  chunkTimeout: 120_000,
  /** Interval in ms at which the start of the app is checked. */
  startPoll: 50,
  /** Days of the premium trial. */
  trialDays: 7,
  passwordLength: { min: 8, max: 200 },
  nameLength: { max: 200 },
  /** Longest file or folder name in UTF-8 bytes. */
  fileNameBytes: 255,
  /** Maximum depth of a path below a shared item, in folders, and its maximum length in UTF-8 bytes. */
  sharedPathSegments: 100,
  sharedPathBytes: 8192,
  /** Latest expiration of a share, in epoch seconds: the year 10000. */
  latestShareEnd: 253_402_300_800,
  /** Maximum items selected for one transfer; folders count once. */
  transferSources: 1000,
  /** Days within which a copy or move can be undone; then the files that it replaced are deleted permanently. */
  undoDays: 30,
  /** Maximum days and runs for which a schedule keeps replaced and deleted files, unless it keeps them forever. */
  versionDays: 3650,
  versionRuns: 1000,
  /** Maximum items of one archive call. */
  archiveItems: 1000,
  /** Maximum running uploads of one account whose progress is tracked. */
  watchedUploads: 100,
  /** Maximum unfinished uploads of one account. */
  unfinishedUploads: 1000,
  /** Maximum finished uploads of one account that clients can still query. */
  finishedUploads: 1000,
  /** Maximum concurrent uploads of one account in one process: each uses up to 1 MiB of memory. */
  runningUploads: 64,
  /** Maximum bytes of one request with a checksum: they stay in memory until it is verified. */
  checkedUploadBytes: 8 * 1024 * 1024,
  /** Maximum concurrent requests of this kind of one account, or of all visitors of one share; others wait. */
  checkedUploads: 4,
  /** Maximum concurrent requests of this kind of one network, within the {@link limits.checkedUploads} of the share. */
  visitorsCheckedUploads: 1,
  /** Maximum length of an `Upload-Metadata` header, in characters. */
  uploadMetadata: 8192,
  /** Maximum open event streams of one account in one process; each tab has one. */
  eventStreams: 32,
  /** Maximum items of one share. */
  sharedItems: 100,
  /** Maximum unfinished uploads into one share, and of one network into it. */
  visitorsUploads: { ofShare: 2000, ofNetwork: 200 },
  /** Maximum concurrent uploads of one network into one share in one process, within the {@link limits.runningUploads} of the share. */
  visitorsRunningUploads: 16,
  /** Maximum concurrent calls of visitors from one network. */
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
/** Fixed sets of values of connection info fields, by dialog family. */
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

/** Cookie names. The page reads `tag` and sends it back as rTag; `device` identifies a browser that has signed in before. */
export const cookies = { session: 'sid', tag: 'sh', device: 'dv', menu: 'menucookie', menuPin: 'menupin', track: 'track' } as const;
