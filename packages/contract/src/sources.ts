import { defaultConnections } from './limits.ts';

/** How the link picker and the marketplace group the types. */
export const sourceGroups = ['Cloud drives', 'Object stores', 'File protocols', 'Work apps', 'Photos'] as const;
export type SourceGroupName = (typeof sourceGroups)[number];

/** The dialog that edits a link (the "form type" of a row in My links). */
export type FormType =
  | 'B2'
  | 'FTP'
  | 'GOOGLECLOUD'
  | 'OAUTH'
  | 'OFS'
  | 'SHEAFGATEWAY'
  | 'ORACLE'
  | 'SFTP'
  | 'S3'
  | 'S3X'
  | 'SPACES'
  | 'WEBDAV';

/** The dialog that the link-source page opens for a type. */
export type DialogFamily = 'oauth' | 'googlecloud' | 'ftp' | 'ofs' | 'sftp' | 's3' | 'webdav' | 'b2' | 'sheafgateway' | 'oracledocuments';

/** One thing a user can link: a provider of the catalogue. */
export interface Source {
  /** The provider's name as the calls write it; compared without regard to case. Also the stem of its logo's file name. */
  readonly provider: string;
  /** The source types that its links can have, the default first. */
  readonly sourceTypes: readonly string[];
  readonly title: string;
  /** One sentence under the dialog's title. */
  readonly sentence: string;
  /** Two letters and a hue for the tile that stands where no licensed logo exists. */
  readonly tile: { readonly letters: string; readonly hue: number };
  readonly group?: SourceGroupName;
  readonly formType?: FormType;
  readonly family?: DialogFamily;
  /** The last segment of `/links/…` where the dialog lives. */
  readonly route?: string;
  /** Opens in the gallery instead of the list. */
  readonly gallery?: true;
  readonly addApi?: string;
  readonly updateApi?: string;
  /** The fixed or preset server address. */
  readonly serverUrl?: string;
  readonly destinationUrl?: string;
  /** True where the server address may not be changed by the user. */
  readonly serverFixed?: true;
  readonly defaultName?: string;
  readonly defaultConnections?: number;
  /** Shown as choices of storage class; absent: the field is hidden. */
  readonly storageClasses?: readonly string[];
  /** What stands in SHEAF_{…}_CLIENT_ID and its kin; present: the operator must register an application first. */
  readonly settings?: string;
  /** What stands in SHEAF_{…}_API_URL where no application has to be registered, but an operator may name another address. */
  readonly addresses?: string;
  /** The provider has ended its service; Sheaf says so instead of offering it. */
  readonly closed?: string;
  /** False while no connector for it is part of Sheaf: its dialog says "not available yet". */
  readonly available: boolean;
}

const oauth = { formType: 'OAUTH', family: 'oauth', available: true } as const;
const s3 = {
  formType: 'S3',
  family: 's3',
  group: 'Object stores',
  addApi: 'add_amazon_s3_link',
  updateApi: 'update_amazon_s3_link',
  available: true,
} as const;
const s3Compatible = { ...s3, sourceTypes: ['S3Compat', 'S3XCompat'] } as const;
const bucketSentence = 'Sheaf opens one bucket with this key.';
const webdav = {
  sourceTypes: ['WebDAV'],
  formType: 'WEBDAV',
  family: 'webdav',
  addApi: 'add_webdav_provider_link',
  updateApi: 'update_webdav_provider_link',
  sentence: 'Sheaf signs in over WebDAV and shows the files.',
  available: true,
} as const;
const davDrive = { ...webdav, group: 'Cloud drives', serverFixed: true } as const;

/** The catalogue of everything that can be linked. Server, web app, documents and tests read this table only. */
export const sources = [
  {
    provider: 'Autodesk',
    sourceTypes: ['Autodesk'],
    title: 'Autodesk',
    sentence: 'Sheaf shows the hubs, projects and folders that you take part in.',
    tile: { letters: 'Au', hue: 25 },
    group: 'Work apps',
    route: 'autodesk',
    settings: 'AUTODESK',
    ...oauth,
  },
  {
    provider: 'B2',
    sourceTypes: ['B2'],
    title: 'B2 Cloud Storage',
    sentence: 'Sheaf opens your buckets with this key.',
    tile: { letters: 'B2', hue: 15 },
    group: 'Object stores',
    formType: 'B2',
    family: 'b2',
    route: 'b2cloudstorage',
    addresses: 'B2',
    addApi: 'add_b2_link',
    updateApi: 'update_b2_connection',
    available: true,
  },
  {
    provider: 'Box',
    sourceTypes: ['Box'],
    title: 'Box',
    sentence: 'Sheaf opens All Files of your Box.',
    tile: { letters: 'Bx', hue: 255 },
    group: 'Cloud drives',
    route: 'box',
    settings: 'BOX',
    ...oauth,
  },
  {
    provider: 'Canopy',
    sourceTypes: ['Canopy'],
    title: 'Canopy',
    sentence: '',
    tile: { letters: 'Ca', hue: 150 },
    group: 'Work apps',
    route: 'canopy',
    closed: 'Canopy has no interface that other programs may use.',
    ...oauth,
  },
  {
    provider: 'CloudDrive',
    sourceTypes: ['CloudDrive'],
    title: 'Amazon Cloud Drive',
    sentence: '',
    tile: { letters: 'CD', hue: 70 },
    group: 'Cloud drives',
    route: 'clouddrive',
    settings: 'CLOUDDRIVE',
    closed: 'Amazon ended this service on 31 December 2023.',
    ...oauth,
  },
  {
    provider: 'Copy',
    sourceTypes: ['Copy'],
    title: 'Copy',
    sentence: '',
    tile: { letters: 'Co', hue: 200 },
    closed: 'Copy ended its service in May 2016.',
    available: false,
  },
  {
    provider: 'Dropbox',
    sourceTypes: ['Dropbox'],
    title: 'Dropbox',
    sentence: "Sheaf opens your Dropbox, with the team's folders where you are in a team.",
    tile: { letters: 'Db', hue: 250 },
    group: 'Cloud drives',
    route: 'dropbox',
    settings: 'DROPBOX',
    ...oauth,
  },
  {
    provider: 'DropboxTeams',
    sourceTypes: ['DropboxTeams'],
    title: 'Dropbox Business',
    sentence: 'Sheaf opens the team space as the administrator who allows it in sees it.',
    tile: { letters: 'DB', hue: 262 },
    group: 'Cloud drives',
    route: 'dropboxteams',
    settings: 'DROPBOXTEAMS',
    ...oauth,
  },
  {
    provider: 'Facebook',
    sourceTypes: ['Facebook'],
    title: 'Facebook',
    sentence: 'Sheaf shows your albums, photos and videos. Nothing can be changed.',
    tile: { letters: 'Fb', hue: 262 },
    group: 'Photos',
    route: 'facebook',
    gallery: true,
    settings: 'FACEBOOK',
    ...oauth,
  },
  {
    provider: 'FTP',
    sourceTypes: ['FTP'],
    title: 'FTP',
    sentence: 'Sheaf signs in and shows the files.',
    tile: { letters: 'FT', hue: 90 },
    group: 'File protocols',
    formType: 'FTP',
    family: 'ftp',
    route: 'ftp',
    addApi: 'set_ftp_connection',
    updateApi: 'update_ftp_connection',
    defaultName: 'My FTP Server',
    defaultConnections: defaultConnections.ftp,
    available: true,
  },
  {
    provider: 'GoogleCloud',
    sourceTypes: ['GoogleCloud'],
    title: 'Google Cloud Storage',
    sentence: "One bucket of Google Cloud Storage, opened with your Google account or a service account's key.",
    tile: { letters: 'GC', hue: 230 },
    group: 'Object stores',
    formType: 'GOOGLECLOUD',
    family: 'googlecloud',
    route: 'googlecloud',
    addApi: 'add_googlecloud_link',
    updateApi: 'update_oauth_manage_info',
    settings: 'GOOGLECLOUD',
    available: true,
  },
  {
    provider: 'GoogleDrive',
    sourceTypes: ['GoogleDrive'],
    title: 'Google Drive',
    sentence: 'Your files at Google Drive, shared drives included.',
    tile: { letters: 'GD', hue: 145 },
    group: 'Cloud drives',
    route: 'googledrive',
    settings: 'GOOGLEDRIVE',
    ...oauth,
  },
  {
    provider: 'Instagram',
    sourceTypes: ['Instagram'],
    title: 'Instagram',
    sentence: 'Sheaf shows what a professional account has published. Nothing can be changed.',
    tile: { letters: 'Ig', hue: 350 },
    group: 'Photos',
    route: 'instagram',
    gallery: true,
    settings: 'INSTAGRAM',
    ...oauth,
  },
  {
    provider: 'OFS',
    sourceTypes: ['OFS'],
    title: 'Sheaf File Server',
    sentence: 'Sheaf signs in to the file server and shows its folder.',
    tile: { letters: 'FS', hue: 160 },
    group: 'File protocols',
    formType: 'OFS',
    family: 'ofs',
    route: 'fileserver',
    addApi: 'set_ofs_connection',
    updateApi: 'update_ofs_connection',
    defaultName: 'My Sheaf File Server',
    available: true,
  },
  {
    provider: 'OneDrive',
    sourceTypes: ['OneDrive'],
    title: 'OneDrive',
    sentence: 'Sign in with your personal Microsoft account.',
    tile: { letters: 'OD', hue: 240 },
    group: 'Cloud drives',
    route: 'onedrive',
    settings: 'ONEDRIVE',
    ...oauth,
  },
  {
    provider: 'OneDriveForBusiness',
    sourceTypes: ['OneDriveForBusiness'],
    title: 'OneDrive for Business',
    sentence: 'Sign in with your work or school account.',
    tile: { letters: 'OB', hue: 255 },
    group: 'Cloud drives',
    route: 'onedriveforbusiness',
    settings: 'ONEDRIVEFORBUSINESS',
    ...oauth,
  },
  {
    provider: 'OracleDocuments',
    sourceTypes: ['OracleDocuments'],
    title: 'Oracle Documents',
    sentence: 'Sheaf signs in and shows the documents.',
    tile: { letters: 'Or', hue: 28 },
    group: 'Work apps',
    formType: 'ORACLE',
    family: 'oracledocuments',
    route: 'oracledocuments',
    addApi: 'set_oracle_connection',
    updateApi: 'update_oracle_connection',
    defaultName: 'My Oracle Documents Server',
    available: true,
  },
  {
    provider: 'Procore',
    sourceTypes: ['Procore'],
    title: 'Procore',
    sentence: 'Sheaf shows the documents of your companies and projects.',
    tile: { letters: 'Pr', hue: 45 },
    group: 'Work apps',
    route: 'procore',
    settings: 'PROCORE',
    ...oauth,
  },
  {
    provider: 'S3',
    title: 'Amazon S3',
    sentence: bucketSentence,
    tile: { letters: 'S3', hue: 50 },
    route: 's3',
    storageClasses: ['STANDARD', 'STANDARD_IA', 'REDUCED REDUNDANCY'],
    ...s3,
    sourceTypes: ['S3', 'S3X'],
  },
  {
    provider: 'S3Compat',
    title: 'S3 Compatible',
    sentence: bucketSentence,
    tile: { letters: 'SC', hue: 60 },
    route: 's3compat',
    storageClasses: ['STANDARD'],
    ...s3Compatible,
  },
  {
    provider: 'Wasabi',
    title: 'Wasabi',
    sentence: bucketSentence,
    tile: { letters: 'Wa', hue: 140 },
    route: 'wasabi',
    serverUrl: 's3.wasabisys.com',
    ...s3Compatible,
  },
  {
    provider: 'DigitalOcean',
    title: 'DigitalOcean Spaces',
    sentence: bucketSentence,
    tile: { letters: 'DO', hue: 245 },
    route: 'digitalocean',
    ...s3Compatible,
  },
  {
    provider: 'DreamHost',
    title: 'DreamHost',
    sentence: bucketSentence,
    tile: { letters: 'DH', hue: 235 },
    route: 'dreamhost',
    serverUrl: 'objects-us-east-1.dream.io',
    serverFixed: true,
    ...s3Compatible,
  },
  { provider: 'MinIO', title: 'MinIO', sentence: bucketSentence, tile: { letters: 'Mi', hue: 10 }, route: 'minio', ...s3Compatible },
  {
    provider: 'AzureStorage',
    title: 'Azure Storage',
    sentence: 'Sheaf opens one container with this account key.',
    tile: { letters: 'Az', hue: 245 },
    route: 'azurestorage',
    storageClasses: ['STANDARD'],
    ...s3Compatible,
  },
  {
    provider: 'SFTP',
    sourceTypes: ['SFTP'],
    title: 'SFTP',
    sentence: 'Sheaf reaches this server over SSH.',
    tile: { letters: 'SF', hue: 205 },
    group: 'File protocols',
    formType: 'SFTP',
    family: 'sftp',
    route: 'sftp',
    addApi: 'set_sftp_connection',
    updateApi: 'update_sftp_connection',
    defaultName: 'My SFTP Server',
    defaultConnections: defaultConnections.sftp,
    available: true,
  },
  {
    provider: 'SheafGateway',
    sourceTypes: ['SheafGateway'],
    title: 'Sheaf Gateway',
    sentence: 'Sheaf connects with the JSON that the gateway gave you.',
    tile: { letters: 'SG', hue: 155 },
    group: 'File protocols',
    formType: 'SHEAFGATEWAY',
    family: 'sheafgateway',
    route: 'sheafgatewaycloudstorage',
    addApi: 'add_sheafgateway_provider_link',
    updateApi: 'update_sheafgateway_provider_link',
    defaultName: 'My Sheaf Gateway',
    available: true,
  },
  {
    provider: 'Sharepoint',
    sourceTypes: ['Sharepoint'],
    title: 'SharePoint',
    sentence: 'Sign in with your work account; Sheaf shows its sites and libraries.',
    tile: { letters: 'SP', hue: 190 },
    group: 'Work apps',
    route: 'sharepoint',
    settings: 'SHAREPOINT',
    ...oauth,
  },
  {
    provider: 'Slack',
    sourceTypes: ['Slack'],
    title: 'Slack',
    sentence: 'Sheaf shows the files of your conversations, as far as you see them.',
    tile: { letters: 'Sl', hue: 320 },
    group: 'Work apps',
    route: 'slack',
    settings: 'SLACK',
    ...oauth,
  },
  {
    provider: 'Spaces',
    sourceTypes: ['Spaces'],
    title: 'Spaces',
    sentence: '',
    tile: { letters: 'Sh', hue: 155 },
    formType: 'SPACES',
    available: false,
  },
  {
    provider: 'WebDAV',
    title: 'WebDAV',
    tile: { letters: 'WD', hue: 265 },
    route: 'webdav',
    group: 'File protocols',
    defaultName: 'My WebDAV Server',
    ...webdav,
  },
  {
    provider: '4shared',
    title: '4shared',
    tile: { letters: '4s', hue: 235 },
    route: '4shared',
    serverUrl: 'https://webdav.4shared.com',
    defaultName: 'My 4shared',
    ...davDrive,
  },
  {
    provider: 'adrive',
    title: 'ADrive',
    tile: { letters: 'Ad', hue: 120 },
    route: 'adrive',
    defaultName: 'My ADrive',
    ...webdav,
    group: 'Cloud drives',
  },
  {
    provider: 'hidrive',
    title: 'HiDrive',
    tile: { letters: 'Hi', hue: 40 },
    route: 'hidrive',
    serverUrl: 'https://webdav.hidrive.strato.com',
    destinationUrl: 'https://webdav.hidrive.strato.com/users/{username}',
    defaultName: 'My HiDrive',
    ...davDrive,
  },
  {
    provider: 'opendrive',
    title: 'OpenDrive',
    tile: { letters: 'Op', hue: 220 },
    route: 'opendrive',
    serverUrl: 'https://webdav.opendrive.com',
    defaultName: 'My OpenDrive',
    ...davDrive,
  },
  {
    provider: 'yandexdisk',
    title: 'Yandex Disk',
    tile: { letters: 'Ya', hue: 18 },
    route: 'yandexdisk',
    serverUrl: 'https://webdav.yandex.com',
    defaultName: 'My Yandex Disk',
    ...davDrive,
  },
] as const satisfies readonly Source[];

/** The source of that provider name, whatever its case, or undefined. */
export function findSource(provider: string): Source | undefined {
  const wanted = provider.toLowerCase();
  return sources.find((source) => source.provider.toLowerCase() === wanted);
}

/** Whether a link-source page of this type shows a dialog: types with a route of their own show none there. */
export const hasOwnRoute = (source: Source): boolean =>
  source.family === 'b2' || source.family === 'sheafgateway' || source.family === 'oracledocuments';

/** Heading of a group of My links, by source type. */
export function sourceTypeTitle(sourceType: string): string {
  const titles: Record<string, string> = {
    S3: 'Amazon S3',
    S3X: 'Amazon S3 (Enhanced)',
    S3Compat: 'S3 Compatible',
    S3XCompat: 'S3 Compatible (Enhanced)',
    Org: 'Organisation',
  };
  return (
    titles[sourceType] ?? sources.find((source) => (source.sourceTypes as readonly string[]).includes(sourceType))?.title ?? sourceType
  );
}
