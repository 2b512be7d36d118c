import type { Env } from '../../../core/definition.ts';
import { ConnectorError } from '../../../core/error.ts';
import type { ResumableUploads } from '../../../core/upload.ts';
import { type RangesDeps, rangeUploads } from './ranges.ts';

/** Name under which a link stores how its server continues an upload. */
const fact = 'parts';
type Way = 'ranges' | 'none';

/** Whether the server was found not to continue uploads. */
export const continuesNothing = (recalled: string | undefined): boolean => recalled === ('none' satisfies Way);

/** What the link remembers of how its server continues an upload. */
export const recallParts = async ({ recall }: Partial<Pick<Env, 'recall'>>): Promise<string | undefined> => recall?.(fact);

interface Deps extends Omit<RangesDeps, 'isKnown' | 'know'> {
  readonly env: Partial<Pick<Env, 'recall' | 'remember'>>;
}

/** Uploads that go on; `beginUpload` rejects with `unsupported` where the server has no way, which the link remembers. */
export function resumableUploads({ env, ...deps }: Deps): ResumableUploads {
  const { steps } = deps;
  let known: string | undefined;
  const learnt = async (way: Way | ''): Promise<void> => {
    known = way;
    await env.remember?.(fact, way);
  };
  const ranges = rangeUploads({
    ...deps,
    async isKnown() {
      known ??= await recallParts(env);
      return known === 'ranges' ? true : known === 'none' ? false : undefined;
    },
    know: (takesRanges) => learnt(takesRanges === undefined ? '' : takesRanges ? 'ranges' : 'none'),
  });
  return {
    ...ranges,
    async beginUpload(file, ask) {
      if (file === '/') throw new ConnectorError('isAFolder', 'the root is a folder');
      if (continuesNothing((known ??= await recallParts(env))) || !(await steps.canMove(ask.signal)))
        throw new ConnectorError('unsupported', 'the server does not continue uploads');
      return ranges.beginUpload(file, ask);
    },
  };
}
