import { ConnectorError } from '../../core/error.ts';
import { joinPath, keptPathOf, nameOf, parentOf } from '../../kit/names/path.ts';
import { type Leftover, leftoverOf, parseLeftover } from '../../kit/object-store/leftover.ts';
import { refusal } from './errors.ts';
import { find } from './listing/lookup.ts';
import { moveTo } from './relocate.ts';
import type { Session } from './session.ts';

/** Files of one upload. */
export interface Files {
  /** Destination of the upload. */
  readonly file: string;
  /** The partial upload. */
  readonly partial: string;
  /** The old file, renamed while the new one takes its place. */
  readonly aside: string;
}

export const filesOf = (file: string, partial: string): Files => ({ file, partial, aside: keptPathOf(partial) });
export const noteOf = ({ file, partial }: Files): string => leftoverOf({ place: file, partialName: nameOf(partial) });
export const noted = ({ place, partialName }: Leftover): Files => filesOf(place, joinPath(parentOf(place), partialName));

/** Renames the old file back, unless the new one is in place after all; deletes the partial upload. */
export async function tidied(session: Session, { file, partial, aside }: Files, hasStepped: boolean, signal: AbortSignal): Promise<void> {
  if (hasStepped && (await find(session, aside, signal))) {
    if (!(await find(session, file, signal))) await moveTo(session, aside, file, signal);
    else if (!(await find(session, partial, signal))) await session.about('DELE', aside, signal);
  }
  await removed(session, partial, signal);
}

/**
 * Cleans up after an interrupted upload, perhaps long ago. Restores the renamed old file only when the new one verifiably never arrived,
 * and never deletes it: the user may have removed or restored files since.
 */
export async function clearUp(session: Session, note: string, signal: AbortSignal): Promise<void> {
  await clearUpload(session, noted(parseLeftover(note)), signal);
}

/** As {@link clearUp}. */
export async function clearUpload(session: Session, files: Files, signal: AbortSignal): Promise<void> {
  if (!(await find(session, files.partial, signal))) return;
  await restored(session, files, signal);
  await removed(session, files.partial, signal);
}

/** Gives a renamed old file its name back when nothing else has the name. */
export async function restored(session: Session, { file, aside }: Files, signal: AbortSignal): Promise<void> {
  if ((await find(session, aside, signal)) && !(await find(session, file, signal))) await moveTo(session, aside, file, signal);
}

async function removed(session: Session, path: string, signal: AbortSignal): Promise<void> {
  const reply = await session.about('DELE', path, signal);
  if (reply.code < 400) return;
  const refused = refusal(reply, 'DELE');
  if (!(refused instanceof ConnectorError) || (await find(session, path, signal))) throw refused;
}
