/** Groups of types in the link picker and the marketplace. */
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

/** Ids of the connectors; the registry has a module for each. */
export type ConnectorId =
  | 'autodesk'
  | 'azure'
  | 'b2'
  | 'box'
  | 'clouddrive'
  | 'copy'
  | 'dropbox'
  | 'dropboxteams'
  | 'facebook'
  | 'ftp'
  | 'googlecloud'
  | 'googledrive'
  | 'instagram'
  | 'ofs'
  | 'onedrive'
  | 'oracledocuments'
  | 'procore'
  | 's3'
  | 'sftp'
  | 'sheafgateway'
  | 'slack'
  | 'webdav';

/** A kind of storage that a user can link; one provider of the catalogue. */
export interface Source {
  /** The provider's name in the calls, compared without case. Also its logo's file name without extension. */
  readonly provider: string;
  /** The connector that opens its links; undefined where there is none. */
  readonly connector: ConnectorId | undefined;
  /** Source types that its links can have, the default first. */
  readonly sourceTypes: readonly string[];
  readonly title: string;
  /** One sentence below the dialog's title. */
  readonly sentence: string;
  /** Two letters and a hue for the tile of a provider without a licensed logo. */
  readonly tile: { readonly letters: string; readonly hue: number };
  readonly group?: SourceGroupName;
  readonly formType?: FormType;
  readonly family?: DialogFamily;
  /** Last segment of the dialog's address `/links/…`. */
  readonly route?: string;
  /** Opens in the gallery instead of the list. */
  readonly gallery?: true;
  readonly addApi?: string;
  readonly updateApi?: string;
  /** The fixed or preset server address. */
  readonly serverUrl?: string;
  readonly destinationUrl?: string;
  /** Whether the user may not change the server address. */
  readonly serverFixed?: true;
  readonly defaultName?: string;
  readonly defaultConnections?: number;
  /** Choices of storage class; absent: the field is hidden. */
  readonly storageClasses?: readonly string[];
  /** Part of the settings' names (SHEAF_{…}_CLIENT_ID). If present, the operator must register an application first. */
  readonly settings?: string;
  /** Part of the setting's name SHEAF_{…}_API_URL, for a provider that needs no application, but whose address the operator may change. */
  readonly addresses?: string;
  /** One sentence on why authorization is impossible, which its page shows instead of a way to link it. */
  readonly closed?: string;
  /** False if Sheaf has no connector for it; its dialog then says "not available yet". */
  readonly available: boolean;
}
