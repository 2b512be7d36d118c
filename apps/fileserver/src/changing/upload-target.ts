import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import type { Exported, Place } from '../listing/exported.ts';
import { Refusal } from '../refusal.ts';
import type { Segments } from '../wire-path.ts';
import { isTaken } from './put-in-place.ts';

/** Where an upload goes: a symbolic link is followed. */
export interface UploadTarget extends AsyncDisposable {
  /** Name that was asked for. */
  readonly name: Buffer;
  readonly place: Place;
  /** What has the name now. */
  readonly replaced: Stats | undefined;
}

/** Finds the place of an upload; rejects with `isAFolder` for the export itself, `notFound` without the folder. */
export async function uploadTarget(exported: Exported, path: Segments): Promise<UploadTarget> {
  if (path.length === 0) throw new Refusal('isAFolder', 'this is a folder');
  await using held = new AsyncDisposableStack();
  const asked = held.use(await exported.place(path));
  const old = (await isTaken(asked)) ? await lstat(asked.path) : undefined;
  const place = old?.isSymbolicLink() ? held.use(await exported.follow(asked)) : asked;
  const replaced = old?.isSymbolicLink() ? await lstat(place.path) : old;
  const kept = held.move();
  return { name: asked.name, place, replaced, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** Rejects with `alreadyExists` when the name must be free and is not, and with `isAFolder` when it is not a file's. */
export function mustBeWritable({ replaced }: Pick<UploadTarget, 'replaced'>, mayReplace: boolean): void {
  if (replaced && !mayReplace) throw new Refusal('alreadyExists', 'the name is taken');
  if (replaced && !replaced.isFile()) throw new Refusal('isAFolder', 'something that is no file has this name');
}
