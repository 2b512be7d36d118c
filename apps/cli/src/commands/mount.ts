import { lstat, mkdir, readdir, realpath, rm, rmdir, symlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type ProgramAddresses, allLinks, askForDrive, parseLinkUri, programAddresses, sftpHostKey } from '@sheaf/contract';
import type { Client } from '#/client.ts';
import { type Command, type Context, exactly } from '#/command.ts';
import { Failure, isSystemError, messageOf } from '#/failure.ts';
import { type KnownDrive, createDrives } from '#/mounting/drives.ts';
import { type Drive, chooseMeans, gioAddress, meansOf } from '#/mounting/means.ts';
import { runWith, thisPlace } from '#/mounting/run.ts';
import { printable } from '#/names.ts';
import { asFolder, find } from '#/remote-paths.ts';
import { computerName, revoke, waitForConfirmation } from '#/signing-in/device-flow.ts';

export const mount: Command = {
  usage: '[--read] [--no-open] PATH FOLDER | --all [--read] [--no-open] FOLDER',
  about:
    'Makes a drive of a link or of a folder in one, or with --all of everything: in FOLDER, or under a letter such as S: on Windows. It uses sshfs, davfs2 or gio on Linux, and the WebDAV of macOS and Windows, with an app password for that folder alone, which is confirmed in the browser.',
  options: { all: { type: 'boolean' }, read: { type: 'boolean' }, 'no-open': { type: 'boolean' } },
  async run(context, args, options) {
    const isAll = options['all'] === true;
    const [path, typed] = isAll ? [undefined, exactly(args, 'FOLDER')[0]] : exactly(args, 'PATH', 'FOLDER');
    const rights = options['read'] === true ? 'read' : 'write';
    await makeDrive(context, { path, folder: placeOf(typed), rights, opensBrowser: options['no-open'] !== true });
  },
};

export const unmount: Command = {
  usage: 'FOLDER',
  about: 'Ends the drive in FOLDER, and makes its app password worthless.',
  async run({ settings, terminal, http, signal }, args) {
    const folder = placeOf(exactly(args, 'FOLDER')[0]);
    const drives = createDrives(settings);
    const drive = await drives.find(folder);
    if (!drive) throw new Failure(`${printable(folder)} is no drive that was made here.`);
    const { stop } = meansOf(drive.means, { ...drive, knownHosts: drives.hostsOf(folder), isReadOnly: false });
    const [program = '', ...rest] = stop;
    try {
      // Older systems have only FUSE 2.
      const isOld = program === 'fusermount3' && !thisPlace(settings.env).has(program);
      await runWith([isOld ? 'fusermount' : program, ...rest], '', settings.env);
    } catch (error) {
      // After a restart of the computer nothing is mounted, and only the record is removed.
      if (await isMounted(folder)) throw error;
    }
    if (drive.means === 'gio' && (await lstat(folder)).isSymbolicLink()) await rm(folder);
    await drives.forget(folder);
    try {
      await revoke({ http, url: drive.url, signal }, drive.username, drive.password);
    } catch (error) {
      terminal.tell(
        `The app password ${drive.username} could not be revoked: ${messageOf(error)} Revoke it at ${drive.url}/account/apppasswords`,
      );
    }
    terminal.tell(`${printable(folder)} is no drive any more.`);
  },
};

interface Wish {
  /** Path as the user typed it; undefined: everything. */
  readonly path: string | undefined;
  readonly folder: string;
  readonly rights: 'read' | 'write';
  readonly opensBrowser: boolean;
}

async function makeDrive(context: Context, { path, folder, rights, opensBrowser }: Wish): Promise<void> {
  const { settings, terminal, http, signal } = context;
  const client = await context.client();
  const { url } = await context.account();
  const drives = createDrives(settings);
  const linkUri = path === undefined ? '' : asFolder(await find(client, path, signal), path).linkUri;
  const { dav, sftp, hostKey } = await addressesOf(client, linkUri, url, signal);
  const means = chooseMeans(thisPlace(settings.env), sftp !== undefined && hostKey !== undefined);
  if (typeof means === 'object') throw new Failure(means.missing);
  await checkFolder(folder);

  const known = await drives.find(folder);
  const isSame = known?.url === url && known.linkUri === linkUri && known.rights === rights;
  const server = { http, url, signal };
  if (known && !isSame) {
    await revoke(server, known.username, known.password);
    await drives.forget(folder);
  }
  const { username, password } = isSame ? known : await askForPassword(context, client, { linkUri, rights, opensBrowser });
  const kept: KnownDrive = { url, folder, linkUri, rights, username, password, means, dav };
  if (sftp && hostKey !== undefined)
    await drives.saveHost(folder, `${sftp.port === 22 ? sftp.host : `[${sftp.host}]:${sftp.port}`} ${hostKey}`);
  // Saved before it is used: without a record, the password could not be revoked from here.
  await drives.save(kept);
  const drive: Drive = {
    folder,
    dav,
    username,
    password,
    knownHosts: drives.hostsOf(folder),
    isReadOnly: rights === 'read',
    ...(sftp && { sftp }),
  };
  try {
    const { command, input } = meansOf(means, drive);
    await runWith(command, input, settings.env);
    if (means === 'gio') await linkToGio(drive, context);
  } catch (error) {
    // The password may be the cause: the next attempt asks for a new one.
    await drives.forget(folder);
    // The caller reports why mounting failed. A password that could not be revoked stays in the list on the profile page.
    await revoke(server, username, password).catch(() => undefined);
    throw error;
  }
  terminal.tell(`${path ?? 'Everything'} is in ${printable(folder)} now. End it with: sheaf unmount ${printable(folder)}`);
}

async function askForPassword(
  { terminal, http, account, signal }: Context,
  client: Client,
  { linkUri, rights, opensBrowser }: { readonly linkUri: string } & Pick<Wish, 'rights' | 'opensBrowser'>,
): Promise<{ username: string; password: string }> {
  const codes = await client.ask(askForDrive, { name: computerName(), linkUri: linkUri === '' ? [] : [linkUri], rights }, signal);
  const { token, text } = await waitForConfirmation({ http, url: (await account()).url, signal }, terminal, codes, opensBrowser);
  return { username: text('username'), password: token };
}

interface Addresses {
  readonly dav: string;
  readonly sftp?: { readonly host: string; readonly port: number; readonly path: string };
  readonly hostKey?: string;
}

/** Returns the WebDAV and SFTP addresses of a folder, or of everything. */
async function addressesOf(client: Client, linkUri: string, url: string, signal: AbortSignal): Promise<Addresses> {
  const { hostKey } = await client.ask(sftpHostKey, {}, signal);
  const address = parseLinkUri(linkUri);
  const userLinkId = address?.userLinkId ?? (await anyLink(client, signal));
  const found: ProgramAddresses = await client.ask(programAddresses, { userLinkId }, signal);
  const names = (address?.path ?? '/').split('/').filter((name) => name !== '');
  const sftp = found.sftp && {
    host: found.sftp.host,
    port: found.sftp.port,
    path: address ? [found.sftp.folder, ...names].join('/') : '/',
  };
  const dav = address ? `${found.dav}${names.map((name) => `${encodeURIComponent(name)}/`).join('')}` : new URL('/dav/', url).href;
  return { dav, ...(sftp && { sftp }), ...(hostKey !== undefined && { hostKey }) };
}

async function anyLink(client: Client, signal: AbortSignal): Promise<string> {
  const [link] = (await client.ask(allLinks, {}, signal)).activeSources.flatMap(({ links }) => links);
  if (!link) throw new Failure('There are no links yet that could become a drive.');
  return link.userLinkId;
}

const isLetter = (typed: string): boolean => process.platform === 'win32' && /^[a-z]:$/i.test(typed);
const placeOf = (typed: string): string => (isLetter(typed) ? typed.toUpperCase() : resolve(typed));

/** Creates the folder; throws Failure if it is not empty, or already a drive. */
async function checkFolder(folder: string): Promise<void> {
  if (isLetter(folder)) return;
  await mkdir(folder, { recursive: true });
  if (await isMounted(folder))
    throw new Failure(`${printable(folder)} is a drive already. End it with: sheaf unmount ${printable(folder)}`);
  if ((await readdir(folder)).length > 0) throw new Failure(`${printable(folder)} is not empty.`);
}

/** Whether another file system is mounted there, even one whose server is gone. */
async function isMounted(folder: string): Promise<boolean> {
  if (isLetter(folder)) return false;
  try {
    return (await lstat(folder)).dev !== (await lstat(dirname(await realpath(folder)))).dev;
  } catch (error) {
    return isSystemError(error) && !isSystemError(error, 'ENOENT');
  }
}

/** Replaces the folder with a symbolic link to the mount point that gio chose. */
async function linkToGio(drive: Drive, { settings, terminal }: Context): Promise<void> {
  const info = await runWith(['gio', 'info', gioAddress(drive)], '', settings.env);
  const place = /^local path: (.+)$/m.exec(info)?.[1];
  if (place === undefined) {
    terminal.tell('Programs of GNOME show the drive; it has no folder, because gvfs-fuse is missing.');
    return;
  }
  await rmdir(drive.folder);
  await symlink(place, drive.folder);
}
