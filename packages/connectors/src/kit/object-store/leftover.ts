import { Type } from 'typebox';
import { ConnectorError } from '../../core/error.ts';
import { partialPrefix } from '../names/path.ts';
import { parseJson } from '../rest/json.ts';

/** Target of an upload, in the connector's own notation, and its hidden temporary name. */
export interface Leftover {
  readonly place: string;
  readonly partialName: string;
}

const Pair = Type.Tuple([Type.String(), Type.String()]);

/** Encodes the note. */
export const leftoverOf = ({ place, partialName }: Leftover): string => JSON.stringify([place, partialName]);

/** Decodes a note; throws `unexpected` for anything else, so that only an upload's own remains are removed. */
export function parseLeftover(note: string): Leftover {
  const [place, partialName] = parsePair(note);
  if (!partialName.startsWith(partialPrefix) || !/^[\da-f]{8}-[\da-f]{4}$/.test(partialName.slice(partialPrefix.length)))
    throw new ConnectorError('unexpected', 'a leftover that no upload has made');
  return { place, partialName };
}

/** Decodes a note of two texts; throws `unexpected`. */
export const parsePair = (note: string): readonly [string, string] => parseJson(Pair, note);
