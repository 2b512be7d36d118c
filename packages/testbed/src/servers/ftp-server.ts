/** A running FTP server of the testbed. */
export interface FtpServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** The folder that its user sees as `/`, on the local disk. */
  readonly home: string;
  stop(): Promise<void>;
}

export const ftpUser = 'mara';
export const ftpPassword = 'correct horse';
