import { keptPathOf } from '../../kit/names/path.ts';
import { leftoverOf, parseLeftover } from '../../kit/object-store/leftover.ts';
import { StatusError } from './errors.ts';
import { within } from './paths.ts';
import type { Commands } from './session/commands.ts';
import { found } from './session/questions.ts';

/** The files of one upload, as server paths. */
export interface Placing {
  readonly target: Buffer;
  /** The partial upload, in the target's folder. */
  readonly partial: Buffer;
  /** Name of the old file while the new one takes its place, on servers without an atomic replace. */
  readonly old: Buffer;
}

/** Returns the files of an upload to `target` with that temporary name. */
export function placingOf(target: Buffer, partialName: string): Placing {
  const folder = target.subarray(0, target.lastIndexOf(slash));
  const beside = (name: string) => within(folder, Buffer.from(name));
  return { target, partial: beside(partialName), old: beside(keptPathOf(partialName)) };
}
const slash = 0x2f;

export const noteOf = (target: Buffer, partialName: string): string => leftoverOf({ place: target.toString('latin1'), partialName });

/**
 * Cleans up after an upload that has just failed. When the new file is in place after all, and only the response was lost, deletes the old
 * one.
 */
export async function tidied(commands: Commands, { target, partial, old }: Placing): Promise<void> {
  if (await found(commands.lstat(old))) {
    if (!(await found(commands.lstat(target)))) await commands.rename(old, target);
    else if (!(await found(commands.lstat(partial)))) await commands.removeFile(old);
  }
  await removed(commands, partial);
}

/**
 * Cleans up after an interrupted upload, perhaps long ago. Restores the renamed old file only when the new one verifiably never arrived,
 * and never deletes it: the user may have removed or restored files since.
 */
export async function clearUp(commands: Commands, note: string): Promise<void> {
  const { place, partialName } = parseLeftover(note);
  await clearUpload(commands, placingOf(Buffer.from(place, 'latin1'), partialName));
}

/** As {@link clearUp}. */
export async function clearUpload(commands: Commands, placing: Placing): Promise<void> {
  if (!(await found(commands.lstat(placing.partial)))) return;
  await restored(commands, placing);
  await removed(commands, placing.partial);
}

/** Gives a renamed old file its name back when nothing else has the name. */
export async function restored(commands: Commands, { target, old }: Placing): Promise<void> {
  if ((await found(commands.lstat(old))) && !(await found(commands.lstat(target)))) await commands.rename(old, target);
}

async function removed(commands: Commands, path: Buffer): Promise<void> {
  try {
    await commands.removeFile(path);
  } catch (error) {
    if (!(error instanceof StatusError && error.kind === 'notFound')) throw error;
  }
}
