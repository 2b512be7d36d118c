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

/** The content behind a signed URL. */
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
  /** Test settings. */
  readonly manners: {
    /** Damages one byte of the next stored content. */
    damageNext: boolean;
    /** Whether items contain a download URL. */
    tellsDownloads: boolean;
    /** Duration of a copy in ms. */
    copyTakes: number;
    /** Whether all older changes have expired. */
    forgetsChanges: boolean;
    /** Maximum page size; by default the drive's. */
    page: number | undefined;
  };
}

/** Creates a drive for the accounts; the first is the owner. */
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

/** Returns the request's drive if the account has access. */
export function driveIn(world: World, { params, account }: SimulatedRequest): Drive {
  const id = params['drive-id'] ?? '';
  const drive = id === 'me' ? driveOf(world, account) : (world.drives.get(id) ?? missing());
  if (!drive.accounts.includes(account.id)) throw accessDenied();
  return drive;
}

/** Returns the request's item; the root without an id. */
export function nodeIn(drive: Drive, { params, headers }: SimulatedRequest): Node {
  const address = readAddress(params['driveItem-id'] ?? 'root');
  const node = 'id' in address ? drive.find(address.id) : drive.walk(drive.find(address.below), address.names);
  const condition = headers['if-match'];
  if (condition !== undefined && condition !== '*' && condition !== eTagOf(node)) throw changedSince();
  return node;
}

/** Returns the target of a write: an existing item, or a name in a folder. */
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

/** Returns a signed URL on another host, valid for an hour. */
export function preAuthenticated(world: World, request: SimulatedRequest, content: Content, type: string): string {
  const opaque = randomUUID();
  world.downloads.set(opaque, { content, type, until: Date.now() + hour });
  return elsewhere(request.url(`/host/download/${opaque}`));
}

/** The same simulator under another host name, so that a token sent there is detected as leaked. */
export const elsewhere = (url: string): string => url.replace('//127.0.0.1:', '//localhost:');

/** Files into which SharePoint writes properties of its library. */
const promoted = /\.(?:docx|xlsx|pptx|heic)$/i;

/** Returns the content as stored: damaged when a test has requested it, and with properties where SharePoint adds them. */
export async function stored(world: World, content: Content, drive: Drive, name: string): Promise<Content> {
  if (drive.type === 'documentLibrary' && promoted.test(name))
    return world.contents.of(Buffer.concat([...((await content.open().toArray()) as Buffer[]), Buffer.from('properties of the library')]));
  if (!world.manners.damageNext) return content;
  world.manners.damageNext = false;
  const bytes = Buffer.concat(await content.open().toArray());
  bytes[0] = (bytes[0] ?? 0) ^ 0xff;
  return world.contents.of(bytes);
}
