/** Numbers and fixed words of the specification, each written once. */
export const limits = {
  /** Rows of a folder's first page, and of each further one by default. */
  pageSize: 25,
  /** The most rows that one call answers. */
  maxPageSize: 1000,
  /** Window width in px under which the account column is hidden. */
  accountColumnWidth: 730,
  /** Window width in px under which the side menu is full-screen. */
  fullScreenMenuWidth: 700,
  /** How long a script chunk may take to load, in ms. */
  chunkTimeout: 120_000,
  /** Between two looks whether the app has signalled its start, in ms. */
  startPoll: 50,
  /** Days of the premium trial. */
  trialDays: 7,
  passwordLength: { min: 8, max: 200 },
  nameLength: { max: 200 },
  /** Longest file or folder name in UTF-8 bytes. */
  fileNameBytes: 255,
  /** Folders that a path below a shared item may go down. */
  sharedPathSegments: 100,
  /** Items that one call for an archive may name. */
  archiveItems: 1000,
  /** Calls that strangers of one network may have under way at once. */
  strangersCalls: 128,
} as const;

/** What a stored secret looks like outside the server; sent back unchanged it keeps the stored one. */
export const secretMask = '••••••••';

/** Characters that link, space and organisation names may not contain (error 222). */
export const forbiddenInNames = [':', '/', '\\', '<', '>', '?', '*', '|'] as const;

export const concurrentConnectionChoices = [1, 2, 3, 4, 5, 10, 20] as const;
export const defaultConnections = { sftp: 3, ftp: 2 } as const;

export const ftpProtocols = { plain: 'FTP', explicitTls: 'FTPS (Explicit TLS)' } as const;
export const sftpAccessTypes = { internet: 'Internet accessible sftp server', privateNetwork: 'Private network' } as const;
export const directoryStructures = { enhanced: 'ENHANCED SHEAF FS', simple: "SIMPLE '/' DELIMITED" } as const;
export const storageClasses = { standard: 'STANDARD', infrequent: 'STANDARD_IA', reduced: 'REDUCED REDUNDANCY' } as const;
export const certificateRules = { enforce: 'ENFORCE_MATCH', ignore: 'IGNORE_MATCH' } as const;
/** Whether a B2 link may change anything. */
export const allowWriteChoices = { allow: 'ALLOW_WRITE', disallow: 'DISALLOW_WRITE' } as const;
export const webdavAuthTypes = ['basic', 'digest'] as const;
const numberChoices = concurrentConnectionChoices.map(String);
/** The fields of connection info that are no free text, and what they may hold, by the family of the dialog. */
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

/** Names of the cookies. `tag` is readable by the page and sent back as rTag; `device` tells a browser that has signed in before. */
export const cookies = { session: 'sid', tag: 'sh', device: 'dv', menu: 'menucookie', menuPin: 'menupin', track: 'track' } as const;
