import { randomUUID } from 'node:crypto';
import type { Account, Content, Contents, SimulatedRequest } from '../kit/index.ts';
import { readAddress } from './addresses.ts';
import { type Drive, type Node, createDrive } from './drive.ts';
import { accessDenied, itemNotFound } from './replies.ts';
import { changedSince } from './replies.ts';
import { eTagOf } from './wire.ts';

export interface Site {
  readonly id: string;
  readonly displayName: string;
  readonly isFollowed: boolean;
  readonly libraries: readonly Drive[];
}

/** What a pre-authenticated address leads to. */
interface Download {
  readonly content: Content;
  readonly type: string;
  readonly until: number;
}

export interface World {
  readonly contents: Contents<string>;
  readonly drives: Map<string, Drive>;
  readonly sites: Site[];
  readonly downloads: Map<string, Download>;
  /** A test's hold on the service. */
  readonly manners: {
    /** The next content that is stored gets one byte wrong. */
    damageNext: boolean;
    /** Whether items tell an address of their bytes. */
    tellsDownloads: boolean;
    /** ms that a copy takes. */
    copyTakes: number;
    /** Whether older changes than those of now are forgotten. */
    forgetsChanges: boolean;
    /** Items of a page where a client asks for more; the drive's own number unless told. */
    page: number | undefined;
  };
}

/** Makes a drive that the accounts may use; the first owns it. */
export function addDrive(world: World, options: Parameters<typeof createDrive>[0]): Drive {
  const drive = createDrive(options);
  world.drives.set(drive.id, drive);
  return drive;
}

export const driveOf = (world: World, account: Account): Drive => {
  const own = [...world.drives.values()].find(({ type, accounts }) => type !== 'documentLibrary' && accounts[0] === account.id);
  return own ?? missing();
};
const missing = (): never => {
  throw itemNotFound();
};

/** The drive that a request is about, if the account may use it. */
export function driveIn(world: World, { params, account }: SimulatedRequest): Drive {
  const id = params['drive-id'] ?? '';
  const drive = id === 'me' ? driveOf(world, account) : (world.drives.get(id) ?? missing());
  if (!drive.accounts.includes(account.id)) throw accessDenied();
  return drive;
}

/** The item that a request is about; the root without an id. */
export function nodeIn(drive: Drive, { params, headers }: SimulatedRequest): Node {
  const address = readAddress(params['driveItem-id'] ?? 'root');
  const node = 'id' in address ? drive.find(address.id) : drive.walk(drive.find(address.below), address.names);
  const condition = headers['if-match'];
  if (condition !== undefined && condition !== '*' && condition !== eTagOf(node)) throw changedSince();
  return node;
}

/** The item that a request writes: one that is there, or a name in a folder. */
export function targetIn(
  drive: Drive,
  request: SimulatedRequest,
): { readonly node: Node } | { readonly folder: Node; readonly name: string } {
  const address = readAddress(request.params['driveItem-id'] ?? 'root');
  if ('id' in address) return { node: nodeIn(drive, request) };
  const folder = drive.walk(drive.find(address.below), address.names.slice(0, -1));
  if (folder.kind !== 'folder') throw itemNotFound();
  return { folder, name: address.names.at(-1) ?? '' };
}

const hour = 3_600_000;

/** An address on another host that gives the bytes to whoever has it, for an hour. */
export function preAuthenticated(world: World, request: SimulatedRequest, content: Content, type: string): string {
  const opaque = randomUUID();
  world.downloads.set(opaque, { content, type, until: Date.now() + hour });
  return elsewhere(request.url(`/host/download/${opaque}`));
}

/** The same simulator under another name, so that a token which is sent there is seen to be sent to a stranger. */
export const elsewhere = (url: string): string => url.replace('//127.0.0.1:', '//localhost:');

/** A content as it is stored, which a test may have damaged. */
export async function stored(world: World, content: Content): Promise<Content> {
  if (!world.manners.damageNext) return content;
  world.manners.damageNext = false;
  const bytes = Buffer.concat(await content.open().toArray());
  bytes[0] = (bytes[0] ?? 0) ^ 0xff;
  return world.contents.of(bytes);
}
