import { ConnectorError } from '../../core/error.ts';
import { joinPath, keptPathOf, nameOf, parentOf } from '../../kit/names/path.ts';
import { type Leftover, leftoverOf, parseLeftover } from '../../kit/object-store/leftover.ts';
import { refusal } from './errors.ts';
import { find } from './listing/lookup.ts';
import { moveTo } from './relocate.ts';
import type { Session } from './session.ts';

/** Files of one upload. */
export interface Files {
  /** Where the upload is to lie. */
  readonly file: string;
  /** What has arrived of it. */
  readonly partial: string;
  /** The old file, while the new one takes its place. */
  readonly aside: string;
}

export const filesOf = (file: string, partial: string): Files => ({ file, partial, aside: keptPathOf(partial) });
export const noteOf = ({ file, partial }: Files): string => leftoverOf({ place: file, partialName: nameOf(partial) });
const noted = ({ place, partialName }: Leftover): Files => filesOf(place, joinPath(parentOf(place), partialName));

/** Gives the old file, which stepped aside, its name again, unless the new one has it after all; and throws away what arrived. */
export async function tidied(session: Session, { file, partial, aside }: Files, hasStepped: boolean, signal: AbortSignal): Promise<void> {
  if (hasStepped && (await find(session, aside, signal))) {
    if (!(await find(session, file, signal))) await moveTo(session, aside, file, signal);
    else if (!(await find(session, partial, signal))) await session.about('DELE', aside, signal);
  }
  await removed(session, partial, signal);
}

/**
 * Puts right what an upload has left, perhaps long ago. An old file that stepped aside gets its name again only while the new one is seen never to have
 * come, and never goes: since then the user may have taken away or put back what they wanted.
 */
export async function clearUp(session: Session, note: string, signal: AbortSignal): Promise<void> {
  const { file, partial, aside } = noted(parseLeftover(note));
  if (!(await find(session, partial, signal))) return;
  if ((await find(session, aside, signal)) && !(await find(session, file, signal))) await moveTo(session, aside, file, signal);
  await removed(session, partial, signal);
}

async function removed(session: Session, path: string, signal: AbortSignal): Promise<void> {
  const reply = await session.about('DELE', path, signal);
  if (reply.code < 400) return;
  const refused = refusal(reply, 'DELE');
  if (!(refused instanceof ConnectorError) || (await find(session, path, signal))) throw refused;
}
