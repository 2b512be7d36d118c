import type { SavedFamily } from '@sheaf/contract';
import type { Protocol } from '../options.ts';
import type { Remote } from '../rclone.ts';
import { startAzure } from './azure.ts';
import { startFtpServer } from './ftp.ts';
import { startGateway } from './gateway.ts';
import { startS3Server } from './s3.ts';
import { startSftpServer } from './sftp.ts';
import { startWebdavServer } from './webdav.ts';

/** What Sheaf needs to link a server. */
export interface Linking {
  readonly family: SavedFamily;
  readonly provider: string;
  readonly info: Readonly<Record<string, string>>;
}

/** A real server with a start folder, and how each contender reaches it. */
export interface BenchServer {
  readonly linking: Linking;
  /** Undefined where rclone does not know the protocol. */
  readonly remote: Remote | undefined;
  /** The start folder as rclone names it below its remote; '' unless the remote begins elsewhere. */
  readonly remoteFolder: string;
  /** Puts a file of this machine into the start folder. */
  place(file: string, name: string): Promise<void>;
  /** Makes a folder of that many files there, named so that no order is given, of that many bytes each; 0 when absent. */
  fill(folder: string, count: number, size?: number): Promise<void>;
  remove(name: string): Promise<void>;
  /** Seconds that the protocol's own client takes to fetch a file and throw it away. */
  fetchDirectly(name: string, bytes: number): Promise<number>;
  sendDirectly(file: string, name: string, bytes: number): Promise<number>;
  /** Seconds that it takes to list a folder with times and throw the answer away, login included; for protocols whose client asks once for all. */
  listDirectly?(folder: string): Promise<number>;
  /** The port of the server, for what is put before it. */
  readonly port: number;
  /** The same server behind another port of this machine. */
  behind(port: number): Pick<BenchServer, 'linking' | 'remote' | 'fetchDirectly'>;
  stop(): Promise<void>;
}

export const startServer: Readonly<Record<Protocol, () => Promise<BenchServer>>> = {
  sftp: startSftpServer,
  ftp: () => startFtpServer({ secure: false }),
  ftps: () => startFtpServer({ secure: true }),
  webdav: startWebdavServer,
  s3: startS3Server,
  azure: startAzure,
  gateway: startGateway,
};
