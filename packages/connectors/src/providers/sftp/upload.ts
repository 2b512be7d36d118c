import type { Readable } from 'node:stream';
import type { Entry, WriteAsk } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import type { LeftoverNote, Leftovers } from '../../core/leftovers.ts';
import { nameOf, partialPathOf } from '../../kit/names/path.ts';
import { atFreePath } from '../../kit/object-store/other-name.ts';
import { type Attrs, kindOf, toEntry } from './api.ts';
import { type Placing, noteOf, placingOf, tidied } from './clearing.ts';
import { StatusError, aborted, isBareFailure } from './errors.ts';
import type { ServerPath } from './paths.ts';
import type { Commands } from './session/commands.ts';
import { sendBody } from './session/outflow.ts';
import { found, mustBeFree, whyNotStored } from './session/questions.ts';

interface Upload {
  readonly commands: Commands;
  readonly serverPath: ServerPath;
  readonly path: string;
  readonly body: Readable;
  readonly ask: WriteAsk;
  readonly leftovers: Leftovers;
  /** Does what a failed upload leaves to be done, on whichever connection works. */
  elsewhere(work: (working: Commands) => Promise<void>): Promise<void>;
}

/** Stores a body: beside its place first, and into it in one step when it is whole. */
export async function upload({ commands, serverPath, path, body, ask, leftovers, elsewhere }: Upload): Promise<Entry> {
  const begun = await atFreePath(path, ask, (at) => targetOf(commands, serverPath(at), ask.ifExists));
  const { target, before } = begun.result;
  const partialName = nameOf(partialPathOf(path));
  const placing = placingOf(target, partialName);
  const { partial } = placing;
  const mode = before?.mode === undefined ? {} : { mode: before.mode & 0o7777 };
  const explained = async (error: unknown): Promise<never> => {
    throw await whyNotStored(commands, partial.subarray(0, partial.lastIndexOf(slash)), error);
  };
  const note = leftovers.note(noteOf(target, partialName));
  const handle = await created(commands, partial, mode, note).catch(explained);
  let closed: Promise<void> | undefined;
  // Never twice: the server gives the handle's number to the next file, which other calls on the connection may have open by then.
  const close = () => (closed ??= commands.close(handle));
  try {
    const size = await written(commands, handle, { body, ask }).catch(explained);
    await finished({ ...commands, close }, handle, { ...mode, ...timeOf(ask.modified) }).catch(explained);
    const after = await commands.lstat(partial);
    if (after.size !== undefined && after.size !== size) throw new ConnectorError('unexpected', `${after.size} of ${size} bytes were kept`);
    const placed = await atFreePath(begun.path, ask, async (at) => {
      const to = at === begun.path ? target : serverPath(at);
      // SFTP's RENAME is not sure to look whether the name is still free.
      if (ask.ifExists === 'fail') await mustBeFree(commands, to);
      if (ask.signal.aborted) throw aborted();
      await putInPlace(commands, { ...placing, target: to }, ask.ifExists);
    });
    note.gone();
    return toEntry(nameOf(placed.path), { ...after, size });
  } catch (error) {
    await Promise.allSettled([close()]);
    await elsewhere((working) => tidied(working, placing)).then(note.gone, (leftover: unknown) => {
      note.stays();
      // The upload's own failure counts; that something of it stayed behind is told with it.
      const kind = error instanceof ConnectorError ? error.kind : 'unexpected';
      throw new ConnectorError(kind, 'the upload failed and left something behind', { cause: new AggregateError([error, leftover]) });
    });
    throw error;
  }
}

/** Opens the file for what is to arrive, while the note is taken of it. */
async function created(commands: Commands, partial: Buffer, mode: Attrs, note: LeftoverNote): Promise<Buffer> {
  try {
    const [handle] = await Promise.all([commands.create(partial, mode), note.kept]);
    return handle;
  } catch (error) {
    // A refusal made nothing; of a line that broke nobody knows.
    if (error instanceof StatusError) note.gone();
    else note.stays();
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

/** Moves the whole file into place. Without an atomic replace the old file steps aside first. */
async function putInPlace(commands: Commands, { partial, target, old }: Placing, ifExists: WriteAsk['ifExists']): Promise<void> {
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
