import type { Readable } from 'node:stream';
import type { Entry, WriteOptions } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import type { LeftoverNote, Leftovers } from '../../core/leftovers.ts';
import { markHandled } from '../../kit/concurrency/mark-handled.ts';
import { nameOf, partialPathOf } from '../../kit/names/path.ts';
import { atFreePath } from '../../kit/object-store/other-name.ts';
import { type Attrs, kindOf, toEntry } from './api.ts';
import { type Placing, noteOf, placingOf, tidied } from './clearing.ts';
import { StatusError, aborted, isBareFailure } from './errors.ts';
import type { ServerPath } from './paths.ts';
import type { Commands } from './session/commands.ts';
import { sendBody } from './session/outflow.ts';
import { found, mustBeFree, whyNotStored } from './session/questions.ts';

interface Storing {
  readonly commands: Commands;
  readonly serverPath: ServerPath;
  readonly path: string;
  readonly ask: WriteOptions;
  readonly leftovers: Leftovers;
  /** Runs the cleanup of a failed upload on any working connection. */
  elsewhere(work: (working: Commands) => Promise<void>): Promise<void>;
}

interface Upload extends Storing {
  readonly body: Readable;
}

interface Copy extends Storing {
  /** Permission bits of a new file; by default the server chooses. */
  readonly mode?: number;
  /** Writes the bytes to the open file and returns their number. */
  fill(handle: Buffer): Promise<number>;
}

/** Stores a body: under a temporary name first, then renamed atomically when it is complete. */
export const upload = ({ body, ...storing }: Upload): Promise<Entry> =>
  store({ ...storing, fill: (handle) => written(storing.commands, handle, { body, ask: storing.ask }) });

/** Stores the bytes that `fill` writes, like {@link upload}. */
export async function store({ commands, serverPath, path, ask, leftovers, elsewhere, mode: newMode, fill }: Copy): Promise<Entry> {
  const isSeenFree = ask.seenFree === true && ask.ifExists === 'fail';
  const begun = await atFreePath(path, ask, (at) =>
    isSeenFree ? freeTarget(serverPath(at)) : targetOf(commands, serverPath(at), ask.ifExists),
  );
  const { target, before } = begun.result;
  const partialName = nameOf(partialPathOf(path));
  const placing = placingOf(target, partialName);
  const { partial } = placing;
  const mode = before ? modeOf(before) : modeOf({ ...(newMode !== undefined && { mode: newMode }) });
  const explained = explaining(commands, placing);
  const note = leftovers.note(noteOf(target, partialName));
  const handle = await created(commands, partial, mode, note).catch(explained);
  let closed: Promise<void> | undefined;
  // Closes once: the server reuses the handle's number for the next file, which other calls may have open by then.
  const close = () => (closed ??= commands.close(handle));
  try {
    const size = await fill(handle).catch(explained);
    const finishing = finished({ ...commands, close }, handle, { ...mode, ...timeOf(ask.modified) }).catch(explained);
    // In the same packet: requests about one file keep their order (draft-ietf-secsh-filexfer-02, section 6.1).
    const looking = markHandled(commands.lstat(partial));
    await finishing;
    const after = await looking;
    if (after.size !== undefined && after.size !== size) throw new ConnectorError('unexpected', `${after.size} of ${size} bytes were kept`);
    const placed = await atFreePath(begun.path, ask, async (at) => {
      const to = at === begun.path ? target : serverPath(at);
      // Not every server's RENAME checks whether the name is free.
      if (ask.ifExists === 'fail') await mustBeFree(commands, to);
      if (ask.signal.aborted) throw aborted();
      await putInPlace(commands, { ...placing, target: to }, ask, serverPath);
    });
    note.gone();
    return toEntry(nameOf(placed.path), { ...after, size });
  } catch (error) {
    await Promise.allSettled([close()]);
    await elsewhere((working) => tidied(working, placing)).then(
      () => note.gone(),
      (leftover: unknown) => {
        note.stays();
        // Keeps the upload's own failure and adds that the cleanup failed.
        const kind = error instanceof ConnectorError ? error.kind : 'unexpected';
        throw new ConnectorError(kind, 'the upload failed and left something behind', { cause: new AggregateError([error, leftover]) });
      },
    );
    throw error;
  }
}

/** Returns the permission bits of a file. */
export const modeOf = ({ mode }: Attrs): Attrs => (mode === undefined ? {} : { mode: mode & 0o7777 });

/** Rethrows why the files of an upload could not be stored. */
export const explaining =
  (commands: Commands, { partial }: Placing) =>
  async (error: unknown): Promise<never> => {
    throw await whyNotStored(commands, partial.subarray(0, partial.lastIndexOf(slash)), error);
  };

/** Opens the temporary file while its note is stored. */
export async function created(commands: Commands, partial: Buffer, mode: Attrs, note: LeftoverNote): Promise<Buffer> {
  try {
    const [handle] = await Promise.all([commands.create(partial, mode), note.kept]);
    return handle;
  } catch (error) {
    // A refusal created nothing; after a broken connection this is unknown.
    if (error instanceof StatusError) note.gone();
    else note.stays();
    throw error;
  }
}

interface Target {
  readonly target: Buffer;
  /** The file to replace. */
  readonly before?: Attrs;
}

const freeTarget = (target: Buffer): Promise<Target> => Promise.resolve({ target });

/** Returns the target of the write: a link is followed. Rejects when it exists and must not be replaced. */
export async function targetOf(commands: Commands, path: Buffer, ifExists: WriteOptions['ifExists']): Promise<Target> {
  const item = await found(commands.lstat(path));
  if (!item) return { target: path };
  if (ifExists === 'fail') throw new ConnectorError('alreadyExists', 'something has that name');
  const before = kindOf(item) === 'link' ? await found(commands.stat(path)) : item;
  if (!before) return { target: path };
  if (kindOf(before) === 'folder') throw new ConnectorError('isAFolder', 'a folder has that name');
  return { target: kindOf(item) === 'link' ? await commands.realPath(path) : path, before };
}

const slash = 0x2f;

/** Times before 1970 and after 2106 cannot be represented: draft-ietf-secsh-filexfer-02, section 5. */
export const timeOf = (modified: number | undefined): Attrs =>
  modified !== undefined && modified >= 0 && modified <= 0xffff_ffff ? { modified } : {};

async function written(
  commands: Commands,
  handle: Buffer,
  { body, ask: { signal, size: most } }: Pick<Upload, 'body' | 'ask'>,
): Promise<number> {
  const size = await sendBody(commands.session, { handle, body, signal, most });
  if (most !== undefined && size !== most) throw new ConnectorError('sizeDiffers', `${size} bytes came, ${most} were announced`);
  return size;
}

/** Finishes the file with pipelined requests: sync, attributes, close. */
export async function finished(commands: Commands, handle: Buffer, attrs: Attrs): Promise<void> {
  const decorate = async () => {
    if (attrs.mode === undefined && attrs.modified === undefined) return;
    try {
      await commands.setAttrs(handle, attrs);
    } catch (error) {
      // Many hosted servers refuse to set times and modes; the bytes are what counts.
      if (!(error instanceof StatusError)) throw error;
    }
  };
  await Promise.all([commands.flush(handle), decorate(), commands.close(handle)]);
}

/** Renames the complete file into place. Without an atomic replace the old file is renamed first. */
export async function putInPlace(
  commands: Commands,
  { partial, target, old }: Placing,
  { ifExists, setAside }: Pick<WriteOptions, 'ifExists' | 'setAside'>,
  serverPath: ServerPath,
): Promise<void> {
  if (ifExists === 'replace' && setAside && (await found(commands.lstat(target))))
    await setAside((path) => commands.rename(target, serverPath(path)));
  if (ifExists === 'replace' && commands.replace) return commands.replace(partial, target);
  try {
    await commands.rename(partial, target);
  } catch (error) {
    if (!isBareFailure(error) || !(await found(commands.lstat(target)))) throw error;
    if (ifExists === 'fail') throw new ConnectorError('alreadyExists', 'something took that name meanwhile', { cause: error });
    await commands.rename(target, old);
    await commands.rename(partial, target);
    await commands.removeFile(old);
  }
}
