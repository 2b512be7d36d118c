import type { WriteAsk } from '../core/connector.ts';
import { ConnectorError, isKind } from '../core/error.ts';
import { isSegment } from '../core/segment.ts';
import { joinPath, parentOf } from './path.ts';

/** Runs a step of an upload at the path; as long as it rejects with `alreadyExists`, at the next path that the caller offers. Gives the path that it took. */
export async function atFreePath<T>(
  path: string,
  { otherName }: Pick<WriteAsk, 'otherName'>,
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
