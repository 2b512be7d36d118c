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
  /** Why nobody can be asked for authorization, in one sentence: its page says so instead of offering to link it. */
  readonly closed?: string;
  /** False while no connector for it is part of Sheaf: its dialog says "not available yet". */
  readonly available: boolean;
}
