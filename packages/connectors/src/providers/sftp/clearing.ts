import { keptPathOf } from '../../kit/names/path.ts';
import { leftoverOf, parseLeftover } from '../../kit/object-store/leftover.ts';
import { StatusError } from './errors.ts';
import { within } from './paths.ts';
import type { Commands } from './session/commands.ts';
import { found } from './session/questions.ts';

/** The files of one upload, as the server writes their paths. */
export interface Placing {
  readonly target: Buffer;
  /** What has arrived, in the folder of the target. */
  readonly partial: Buffer;
  /** Where the old file stands while the new one takes its place, on servers that cannot do it in one step. */
  readonly old: Buffer;
}

/** The files of an upload to `target` that arrives under that name. */
export function placingOf(target: Buffer, partialName: string): Placing {
  const folder = target.subarray(0, target.lastIndexOf(slash));
  const beside = (name: string) => within(folder, Buffer.from(name));
  return { target, partial: beside(partialName), old: beside(keptPathOf(partialName)) };
}
const slash = 0x2f;

export const noteOf = (target: Buffer, partialName: string): string => leftoverOf({ place: target.toString('latin1'), partialName });

/** Puts right what an upload has left that failed just now. When the new file has its place after all, and only the answer was lost, the old one goes. */
export async function tidied(commands: Commands, { target, partial, old }: Placing): Promise<void> {
  if (await found(commands.lstat(old))) {
    if (!(await found(commands.lstat(target)))) await commands.rename(old, target);
    else if (!(await found(commands.lstat(partial)))) await commands.removeFile(old);
  }
  await removed(commands, partial);
}

/**
 * Puts right what an upload has left, perhaps long ago. An old file that stepped aside gets its name again only while the new one is seen never to have
 * come, and never goes: since then the user may have taken away or put back what they wanted.
 */
export async function clearUp(commands: Commands, note: string): Promise<void> {
  const { place, partialName } = parseLeftover(note);
  const { target, partial, old } = placingOf(Buffer.from(place, 'latin1'), partialName);
  if (!(await found(commands.lstat(partial)))) return;
  if ((await found(commands.lstat(old))) && !(await found(commands.lstat(target)))) await commands.rename(old, target);
  await removed(commands, partial);
}

async function removed(commands: Commands, path: Buffer): Promise<void> {
  try {
    await commands.removeFile(path);
  } catch (error) {
    if (!(error instanceof StatusError && error.kind === 'notFound')) throw error;
  }
}
