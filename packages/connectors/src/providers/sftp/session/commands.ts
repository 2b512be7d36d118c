import type { ByteRange } from '../../../core/connector.ts';
import { type Attrs, type RawEntry, createFieldReader, openFlag, packet } from '../api.ts';
import { StatusError, status } from '../errors.ts';
import type { Session } from './session.ts';

const posixRename = 'posix-rename@openssh.com';
const fsync = 'fsync@openssh.com';
const statvfs = 'statvfs@openssh.com';
/** https://datatracker.ietf.org/doc/html/draft-ietf-secsh-filexfer-extensions-00#section-7; OpenSSH 9.0 and later. */
const copyData = 'copy-data';

/** SFTP's requests as functions. Paths and handles are the server's bytes; all reject like {@link Session.request}. */
export interface Commands {
  readonly session: Session;
  stat(path: Buffer): Promise<Attrs>;
  /** Like stat, but does not follow a link. */
  lstat(path: Buffer): Promise<Attrs>;
  /** Like stat, for an open file, even if another file has its name by now. */
  fstat(handle: Buffer): Promise<Attrs>;
  openRead(path: Buffer): Promise<Buffer>;
  /** Creates a file that must not exist. */
  create(path: Buffer, attrs: Attrs): Promise<Buffer>;
  /** Opens an existing file for writing and keeps its bytes. */
  openWrite(path: Buffer): Promise<Buffer>;
  close(handle: Buffer): Promise<void>;
  setAttrs(handle: Buffer, attrs: Attrs): Promise<void>;
  /** Syncs the file to disk, where the server supports it. */
  flush(handle: Buffer): Promise<void>;
  openFolder(path: Buffer): Promise<Buffer>;
  /** Returns the next names; undefined after the last. */
  readFolder(handle: Buffer): Promise<readonly RawEntry[] | undefined>;
  makeFolder(path: Buffer, mode?: number): Promise<void>;
  removeFile(path: Buffer): Promise<void>;
  removeFolder(path: Buffer): Promise<void>;
  /** Fails when the target exists. */
  rename(from: Buffer, to: Buffer): Promise<void>;
  /** Present when the server can rename over a file atomically. */
  readonly replace?: (from: Buffer, to: Buffer) => Promise<void>;
  realPath(path: Buffer): Promise<Buffer>;
  /** Returns the free bytes for the account at the path, without regard to quotas. Present where supported. */
  readonly freeSpace?: (path: Buffer) => Promise<number>;
  /** Copies a range of bytes on the server, from one open file to the same offset in another. Present where supported. */
  readonly copyBytes?: (from: Buffer, to: Buffer, range: Required<ByteRange>) => Promise<void>;
}

export function createCommands(session: Session): Commands {
  const tell = async (type: number, ...fields: Parameters<Session['request']>[1][]): Promise<void> =>
    void (await session.request(type, ...fields));
  const attrsOf = async (type: number, path: Buffer) => createFieldReader((await session.request(type, path)).payload).attrs();
  const handleOf = async (type: number, ...fields: Parameters<Session['request']>[1][]) =>
    // Copies the handle, because the packet's buffer may be reused.
    Buffer.from(createFieldReader((await session.request(type, ...fields)).payload).string());
  const noAttrs = { attrs: {} };

  return {
    session,
    stat: (path) => attrsOf(packet.stat, path),
    lstat: (path) => attrsOf(packet.lstat, path),
    fstat: (handle) => attrsOf(packet.fstat, handle),
    openRead: (path) => handleOf(packet.open, path, openFlag.read, noAttrs),
    create: (path, attrs) => handleOf(packet.open, path, openFlag.write | openFlag.create | openFlag.exclusive, { attrs }),
    openWrite: (path) => handleOf(packet.open, path, openFlag.write, noAttrs),
    close: (handle) => tell(packet.close, handle),
    setAttrs: (handle, attrs) => tell(packet.fsetstat, handle, { attrs }),
    async flush(handle) {
      if (session.has(fsync)) await tell(packet.extended, Buffer.from(fsync), handle);
    },
    openFolder: (path) => handleOf(packet.opendir, path),
    async readFolder(handle) {
      try {
        const names = namesOf((await session.request(packet.readdir, handle)).payload);
        // Some servers end a folder with an empty response, which would otherwise loop forever.
        return names.length > 0 ? names : undefined;
      } catch (error) {
        if (error instanceof StatusError && error.code === status.eof) return undefined;
        throw error;
      }
    },
    makeFolder: (path, mode) => tell(packet.mkdir, path, mode === undefined ? noAttrs : { attrs: { mode } }),
    removeFile: (path) => tell(packet.remove, path),
    removeFolder: (path) => tell(packet.rmdir, path),
    rename: (from, to) => tell(packet.rename, from, to),
    ...(session.has(posixRename) && { replace: (from: Buffer, to: Buffer) => tell(packet.extended, Buffer.from(posixRename), from, to) }),
    async realPath(path) {
      const [found] = namesOf((await session.request(packet.realpath, path)).payload);
      return found?.bytes ?? path;
    },
    ...(session.has(statvfs) && {
      freeSpace: async (path: Buffer) => freeSpaceOf((await session.request(packet.extended, Buffer.from(statvfs), path)).payload),
    }),
    ...(session.has(copyData) && {
      copyBytes: (from: Buffer, to: Buffer, { start, end }: Required<ByteRange>) =>
        tell(packet.extended, Buffer.from(copyData), from, { uint64: start }, { uint64: end - start }, to, { uint64: start }),
    }),
  };
}

function namesOf(payload: Buffer): RawEntry[] {
  const fields = createFieldReader(payload);
  return Array.from({ length: fields.uint32() }, () => {
    const bytes = fields.string();
    // Skips the long name, a line as `ls -l` prints it, which adds nothing to the attributes.
    fields.string();
    return { bytes, attrs: fields.attrs() };
  });
}

/** Returns the blocks free for unprivileged users times their size; 0 when no inode is free: OpenSSH's PROTOCOL file, section 4.4. */
function freeSpaceOf(payload: Buffer): number {
  const fields = createFieldReader(payload);
  const [, blockSize = 0, , , blocks = 0, files = 0, , filesLeft = 0] = Array.from({ length: 8 }, () => fields.uint64());
  return files > 0 && filesLeft === 0 ? 0 : blockSize * blocks;
}
