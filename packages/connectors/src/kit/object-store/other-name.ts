import type { WriteOptions } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { isSegment } from '../../core/segment.ts';
import { joinPath, parentOf } from '../names/path.ts';
import type { PutOptions } from './object-store.ts';
import type { Part, PartSizes } from './upload-parts.ts';

/**
 * Runs a step of an upload at the path; while it rejects with `alreadyExists`, repeats it at the next path that the caller offers. Returns
 * the final path.
 */
export async function atFreePath<T>(
  path: string,
  { otherName }: Pick<WriteOptions, 'otherName'>,
  step: (path: string) => Promise<T>,
): Promise<{ readonly path: string; readonly result: T }> {
  for (let at = path; ;) {
    try {
      return { path: at, result: await step(at) };
    } catch (error) {
      const name = isKind(error, 'alreadyExists') ? await otherName?.() : undefined;
      if (name === undefined) throw error;
      if (!isSegment(name)) throw new ConnectorError('badName', 'a name that leads out of its folder');
      at = joinPath(parentOf(path), name);
    }
  }
}

/** Sizes up to which a body is kept in memory, because it may have to be sent again under another key. */
export const keptFor = ({ otherKey, size }: PutOptions, sizes: PartSizes): PartSizes =>
  otherKey !== undefined && size !== undefined && size < sizes.unknownPart ? { ...sizes, inMemory: true } : sizes;

/** Sends a body; while `put` rejects with `alreadyExists`, sends a body in memory again under the next key that the caller offers. */
export async function putAtFreeKey<T>(
  key: string,
  part: Part,
  { otherKey }: PutOptions,
  put: (key: string) => Promise<T>,
): Promise<{ readonly key: string; readonly result: T }> {
  for (let at = key; ;) {
    try {
      return { key: at, result: await put(at) };
    } catch (error) {
      const canRepeat = part.body instanceof Uint8Array && isKind(error, 'alreadyExists');
      const other = canRepeat ? await otherKey?.() : undefined;
      if (other === undefined) throw error;
      at = other;
    }
  }
}
