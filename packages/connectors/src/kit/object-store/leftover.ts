import { Type } from 'typebox';
import { ConnectorError } from '../../core/error.ts';
import { partialPrefix } from '../names/path.ts';
import { parseJson } from '../rest/json.ts';

/** Where an upload was to lie, as its connector writes places, and the hidden name beside it under which it arrived. */
export interface Leftover {
  readonly place: string;
  readonly partialName: string;
}

const Pair = Type.Tuple([Type.String(), Type.String()]);

/** As it is noted down. */
export const leftoverOf = ({ place, partialName }: Leftover): string => JSON.stringify([place, partialName]);

/** A note, read again; throws `unexpected` for what is none, so that nothing is removed but what an upload has made. */
export function parseLeftover(note: string): Leftover {
  const [place, partialName] = parsePair(note);
  if (!partialName.startsWith(partialPrefix) || !/^[\da-f]{8}-[\da-f]{4}$/.test(partialName.slice(partialPrefix.length)))
    throw new ConnectorError('unexpected', 'a leftover that no upload has made');
  return { place, partialName };
}

/** A note of two texts; throws `unexpected`. */
export const parsePair = (note: string): readonly [string, string] => parseJson(Pair, note);
