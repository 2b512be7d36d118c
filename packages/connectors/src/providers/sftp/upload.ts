import type { Readable } from 'node:stream';
import type { Entry, WriteAsk } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import { keptPathOf, nameOf, partialPathOf } from '../../kit/path.ts';
import { type Attrs, kindOf, toEntry } from './api.ts';
import type { Commands } from './commands.ts';
import { StatusError, aborted, isBareFailure } from './errors.ts';
import { sendBody } from './outflow.ts';
import { type ServerPath, within } from './paths.ts';
import { found, mustBeFree, whyNotStored } from './questions.ts';

interface Upload {
  readonly commands: Commands;
  readonly serverPath: ServerPath;
  readonly path: string;
  readonly body: Readable;
  readonly ask: WriteAsk;
  /** Does what a failed upload leaves to be done, on whichever connection works. */
  elsewhere(work: (working: Commands) => Promise<void>): Promise<void>;
}

/** Stores a body: beside its place first, and into it in one step when it is whole. */
export async function upload({ commands, serverPath, path, body, ask, elsewhere }: Upload): Promise<Entry> {
  const { target, before } = await targetOf(commands, serverPath(path), ask.ifExists);
  const partial = beside(target, serverPath(path), serverPath(partialPathOf(path)));
  const mode = before?.mode === undefined ? {} : { mode: before.mode & 0o7777 };
  const folder = partial.subarray(0, partial.lastIndexOf(slash));
  const explained = async (error: unknown): Promise<never> => {
    throw await whyNotStored(commands, folder, error);
  };
  const handle = await commands.create(partial, mode).catch(explained);
  let closed: Promise<void> | undefined;
  // Never twice: the server gives the handle's number to the next file, which other calls on the connection may have open by then.
  const close = () => (closed ??= commands.close(handle));
  try {
    const size = await written(commands, handle, { body, ask }).catch(explained);
    await finished({ ...commands, close }, handle, { ...mode, ...timeOf(ask.modified) }).catch(explained);
    // SFTP's RENAME is not sure to look whether the name is still free.
    const [after] = await Promise.all([commands.lstat(partial), ask.ifExists === 'fail' && mustBeFree(commands, target)]);
    if (after.size !== undefined && after.size !== size) throw new ConnectorError('unexpected', `${after.size} of ${size} bytes were kept`);
    if (ask.signal.aborted) throw aborted();
    const aside = () => beside(target, serverPath(path), serverPath(keptPathOf(path)));
    await putInPlace(commands, { partial, target, ifExists: ask.ifExists, aside, elsewhere });
    return toEntry(nameOf(path), { ...after, size });
  } catch (error) {
    await Promise.allSettled([close()]);
    await leftoverGone(
      elsewhere((working) => working.removeFile(partial)),
      error,
    );
    throw error;
  }
}

/** Where the bytes go: a link leads to the file it points to. Rejects when something stands there that must not be replaced. */
async function targetOf(commands: Commands, path: Buffer, ifExists: WriteAsk['ifExists']): Promise<{ target: Buffer; before?: Attrs }> {
  const item = await found(commands.lstat(path));
  if (!item) return { target: path };
  if (ifExists === 'fail') throw new ConnectorError('alreadyExists', 'something has that name');
  const before = kindOf(item) === 'link' ? await found(commands.stat(path)) : item;
  if (!before) return { target: path };
  if (kindOf(before) === 'folder') throw new ConnectorError('isAFolder', 'a folder has that name');
  return { target: kindOf(item) === 'link' ? await commands.realPath(path) : path, before };
}

/** The partial file's place: in the folder of the target, which is another than that of the path when a link leads away. */
function beside(target: Buffer, path: Buffer, partial: Buffer): Buffer {
  if (target === path) return partial;
  return within(target.subarray(0, target.lastIndexOf(slash)), partial.subarray(partial.lastIndexOf(slash) + 1));
}
const slash = 0x2f;

/** Times before 1970 and after 2106 cannot be told: draft-ietf-secsh-filexfer-02, section 5. */
const timeOf = (modified: number | undefined): Attrs =>
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

/** Everything that makes the file last, in one flight: to the disk, the attributes, closed. */
async function finished(commands: Commands, handle: Buffer, attrs: Attrs): Promise<void> {
  const decorate = async () => {
    if (attrs.mode === undefined && attrs.modified === undefined) return;
    try {
      await commands.setAttrs(handle, attrs);
    } catch (error) {
      // Many hosted servers keep times and modes to themselves; the bytes are what counts.
      if (!(error instanceof StatusError)) throw error;
    }
  };
  await Promise.all([commands.flush(handle), decorate(), commands.close(handle)]);
}

interface Placing {
  readonly partial: Buffer;
  readonly target: Buffer;
  readonly ifExists: WriteAsk['ifExists'];
  /** A name for the old file while the new one takes its place. */
  aside(): Buffer;
  readonly elsewhere: Upload['elsewhere'];
}

/** Moves the whole file into place. Without an atomic replace the old file steps aside and comes back if the new one cannot follow. */
async function putInPlace(commands: Commands, { partial, target, ifExists, aside, elsewhere }: Placing): Promise<void> {
  if (ifExists === 'replace' && commands.replace) return commands.replace(partial, target);
  try {
    await commands.rename(partial, target);
  } catch (error) {
    if (!isBareFailure(error) || !(await found(commands.lstat(target)))) throw error;
    if (ifExists === 'fail') throw new ConnectorError('alreadyExists', 'something took that name meanwhile', { cause: error });
    const old = aside();
    try {
      await commands.rename(target, old);
      await commands.rename(partial, target);
    } catch (failure) {
      await leftoverGone(
        elsewhere((working) => putBack(working, { old, target, partial })),
        failure,
      );
      throw failure;
    }
    await commands.removeFile(old);
  }
}

/** Gives the old file its name again; when the new one has it after all, whose answer was lost, the old one goes. */
async function putBack(
  commands: Commands,
  { old, target, partial }: Readonly<Record<'old' | 'target' | 'partial', Buffer>>,
): Promise<void> {
  if (!(await found(commands.lstat(old)))) return;
  if (!(await found(commands.lstat(target)))) await commands.rename(old, target);
  else if (!(await found(commands.lstat(partial)))) await commands.removeFile(old);
}

/** The upload's own failure counts; that something of it stayed behind is told with it. */
async function leftoverGone(tidied: Promise<void>, failure: unknown): Promise<void> {
  try {
    await tidied;
  } catch (leftover) {
    if (leftover instanceof StatusError && leftover.kind === 'notFound') return;
    const kind = failure instanceof ConnectorError ? failure.kind : 'unexpected';
    throw new ConnectorError(kind, 'the upload failed and left something behind', { cause: new AggregateError([failure, leftover]) });
  }
}
