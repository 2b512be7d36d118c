import type { Entry } from '../../../core/connector.ts';
import type { Env } from '../../../core/definition.ts';
import { ConnectorError } from '../../../core/error.ts';
import type { HashName } from '../../../core/hashes.ts';
import type { ResumableUploads } from '../../../core/upload.ts';
import { parsePair } from '../../../kit/object-store/leftover.ts';
import { type ChunksDeps, chunkUploads, chunksIn, isChunked } from './chunks.ts';
import { type CloudAbilities, askCloud, cloudRootOf } from './cloud.ts';
import { type RangesDeps, rangeUploads } from './ranges.ts';

/** Names under which a link stores how its server resumes uploads, and which hash it reports. */
const partsFact = 'parts';
const hashFact = 'hash';
const ways = ['chunks', 'ranges', 'none'] as const;
type Way = (typeof ways)[number];

/** Facts about the server that a link stores. */
export interface Remembered {
  readonly way?: Way | undefined;
  readonly hash?: HashName | undefined;
}

const hashes: readonly HashName[] = ['sha1', 'sha256'];

export async function recallServer({ recall }: Partial<Pick<Env, 'recall'>>): Promise<Remembered> {
  const [way, hash] = await Promise.all([recall?.(partsFact), recall?.(hashFact)]);
  return { way: ways.find((one) => one === way), hash: hashes.find((one) => one === hash) };
}

interface Deps extends Omit<RangesDeps, 'isKnown' | 'know'>, ChunksDeps {
  readonly env: Partial<Pick<Env, 'recall' | 'remember'>>;
}

/** Resumable uploads; `beginUpload` rejects with `unsupported` where the server does not support any kind, which the link stores. */
export function resumableUploads({ env, ...deps }: Deps) {
  const { steps, client, base } = deps;
  let known: Promise<Remembered> | undefined;
  const recalled = () => (known ??= recallServer(env));

  async function learnt(way: Way | undefined): Promise<void> {
    known = Promise.resolve({ ...(await recalled()), way });
    await env.remember?.(partsFact, way ?? '');
  }

  /** Asks a server that may be Nextcloud or ownCloud, until its features are known. */
  async function wayOf(signal: AbortSignal): Promise<Way | undefined> {
    const { way } = await recalled();
    const root = cloudRootOf(base);
    if (way !== undefined || root === undefined) return way;
    const abilities: CloudAbilities = await askCloud(client, root, signal);
    if (abilities.hash !== undefined) {
      known = Promise.resolve({ ...(await recalled()), hash: abilities.hash });
      await env.remember?.(hashFact, abilities.hash);
    }
    if (!abilities.chunks) return undefined;
    await learnt('chunks');
    return 'chunks';
  }

  const ranges = rangeUploads({
    ...deps,
    async isKnown() {
      const { way } = await recalled();
      return way === undefined ? undefined : way === 'ranges';
    },
    know: (takesRanges) => learnt(takesRanges === undefined ? undefined : takesRanges ? 'ranges' : 'none'),
  });
  const chunks = chunkUploads(deps);
  const of = (session: string): ResumableUploads => (isChunked(session) ? chunks.uploads : ranges);

  const uploads: ResumableUploads = {
    async beginUpload(file, ask) {
      if (file === '/') throw new ConnectorError('isAFolder', 'the root is a folder');
      const way = await wayOf(ask.signal);
      if (way === 'chunks') return chunks.uploads.beginUpload(file, ask);
      if (way === 'none' || !(await steps.canMove(ask.signal)))
        throw new ConnectorError('unsupported', 'the server does not continue uploads');
      return ranges.beginUpload(file, ask);
    },
    sendPart: (file, body, ask) => of(ask.session).sendPart(file, body, ask),
    uploadState: (file, ask) => of(ask.session).uploadState(file, ask),
    finishUpload: (file, ask) => of(ask.session).finishUpload(file, ask),
    abandonUpload: (file, ask) => of(ask.session).abandonUpload(file, ask),
  };

  return {
    uploads,
    /** Stores that the server reports hashes of written files. */
    async learnHash({ hashes: told = {} }: Pick<Entry, 'hashes'>): Promise<void> {
      const { hash } = await recalled();
      const found = hashes.find((name) => told[name] !== undefined);
      if (hash !== undefined || found === undefined) return;
      known = Promise.resolve({ ...(await recalled()), hash: found });
      await env.remember?.(hashFact, found);
    },
    /** Removes the chunks of a note; returns false when the note belongs to another kind of upload. */
    async clearedUp(leftover: string, signal: AbortSignal): Promise<boolean> {
      const folder = chunksIn(parsePair(leftover));
      if (folder === undefined) return false;
      await chunks.remove(folder, signal);
      return true;
    },
  };
}
