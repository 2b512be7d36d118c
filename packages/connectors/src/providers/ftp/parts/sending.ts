import { Readable } from 'node:stream';
import type { Env } from '../../../core/definition.ts';
import type { Dialer } from '../../../core/dialer.ts';
import { isKind } from '../../../core/error.ts';
import { parentOf } from '../../../kit/names/path.ts';
import type { Files } from '../clearing.ts';
import { type Reply, denial, refusal } from '../errors.ts';
import { look } from '../listing/lookup.ts';
import type { Session } from '../session.ts';
import { recover, upload } from '../upload.ts';

/** How the server resumes a file: at any byte with REST and STOR (RFC 3659, section 5), only at its end with APPE, or not at all. */
const ways = ['restart', 'append', 'none'] as const;
export type Way = (typeof ways)[number];

interface Part {
  readonly signal: AbortSignal;
  readonly way: Way;
  readonly offset: number;
  readonly size: number;
}

/** Sends bytes into the partial file from `offset` on; from offset 0 they replace its content, unless they are appended. */
export async function sendInto(
  session: Session,
  dialer: Dialer,
  { file, partial }: Files,
  body: Readable,
  { signal, way, offset, size }: Part,
): Promise<void> {
  const command = way === 'append' ? 'APPE' : 'STOR';
  let isRefused = false;
  const begin = async (): Promise<Reply> => {
    const reply = await begun();
    isRefused = reply.code >= 400;
    return reply;
  };
  const begun = async (): Promise<Reply> => {
    if (way === 'restart' && offset > 0) {
      const restart = await session.control.command(`REST ${offset}`, signal);
      if (restart.code >= 400) return restart;
      if (restart.code !== 350) throw refusal(restart, 'REST');
    }
    return session.about(command, partial, signal);
  };
  const sent = await upload(session, dialer, body, { signal, size, ifExists: 'replace' }, { lines: [], answered: begin }).catch(
    async (error: unknown) => {
      // After a refusal the server is ready for the next command.
      if (!isRefused) await recover(session, error);
      throw error;
    },
  );
  if (typeof sent === 'number') return;
  await look(session, parentOf(file), signal);
  throw denial(sent, command);
}

/** Name under which a link stores how its server resumes files. */
const fact = 'resumes';

interface Trial {
  /** The partial file for the probe, which exists and is empty before and afterwards. */
  readonly files: Files;
  readonly signal: AbortSignal;
}

/**
 * Probes once per link how the server resumes a file, with a few bytes in a partial file: some servers ignore REST and replace the file,
 * others refuse it.
 */
export function createTrial(dialer: Dialer, env: Partial<Pick<Env, 'recall' | 'remember'>>) {
  let known: Way | undefined;

  async function sizeAfter(session: Session, { files, signal }: Trial, text: string, part: Pick<Part, 'way' | 'offset'>): Promise<number> {
    const body = Readable.from([Buffer.from(text)].filter(({ length }) => length > 0));
    await sendInto(session, dialer, files, body, { ...part, signal, size: text.length });
    return (await look(session, files.partial, signal)).size ?? 0;
  }

  async function tried(session: Session, trial: Trial): Promise<Way> {
    const after = (text: string, part: Pick<Part, 'way' | 'offset'>) => sizeAfter(session, trial, text, part);
    const empty = async () => (await after('', { way: 'restart', offset: 0 })) === 0;
    const canRestart = async () => {
      await after('ab', { way: 'restart', offset: 0 });
      return (await after('c', { way: 'restart', offset: 1 })) === 2;
    };
    const canAppend = async () => {
      const [one, two] = [await after('a', { way: 'append', offset: 0 }), await after('b', { way: 'append', offset: 1 })];
      return one === 1 && two === 2;
    };
    if ((await unlessRefused(canRestart)) && (await empty())) return 'restart';
    if ((await empty()) && (await unlessRefused(canAppend)) && (await empty())) return 'append';
    return 'none';
  }

  return {
    async way(session: Session, trial: Trial): Promise<Way> {
      const stored = known ?? (await env.recall?.(fact));
      known = ways.find((way) => way === stored);
      if (known) return known;
      known = await tried(session, trial);
      await env.remember?.(fact, known);
      return known;
    },
    /** Called when the server behaved differently than in the probe. */
    async forget(): Promise<void> {
      known = undefined;
      await env.remember?.(fact, '');
    },
  };
}

/** Whether the probe succeeded; a refusal of the commands counts as no. */
async function unlessRefused(trial: () => Promise<boolean>): Promise<boolean> {
  try {
    return await trial();
  } catch (error) {
    // ProFTPD replies with 451 where AllowStoreRestart is off.
    if (isKind(error, 'forbidden', 'badName', 'unsupported', 'interrupted')) return false;
    throw error;
  }
}
