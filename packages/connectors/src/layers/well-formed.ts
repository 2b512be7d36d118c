import { ConnectorError } from '../core/error.ts';
import type { Layer } from './layered.ts';

/**
 * Refuses with `badName` what no source can be asked for: a path with half a surrogate pair, which has no UTF-8 form (Unicode Standard, section 3.9). A service may list
 * such a name, as JSON can hold one; written as bytes it would become U+FFFD, which is the name of another item.
 */
export function wellFormed(): Layer {
  return async ({ path, target = '', signal }, next) => {
    if (!path.isWellFormed() || !target.isWellFormed()) throw new ConnectorError('badName', 'the name is no well-formed Unicode');
    return next(signal);
  };
}
