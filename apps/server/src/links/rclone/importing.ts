import {
  AppError,
  type InputOf,
  type Remote,
  type SavedLink,
  appError,
  englishWords,
  findSource,
  forbiddenInNames,
  type importRemote,
  isBlank,
  limits,
  reasonOf,
  reasonSentenceOf,
} from '@sheaf/contract';
import type { Authorizations } from '#/links/authorization/service.ts';
import { families } from '#/links/links/families.ts';
import { nameKeyOf } from '#/links/links/names.ts';
import type { Links } from '#/links/links/service.ts';
import type { Caller } from '#/platform/http/session.ts';
import { basesOf, planOf } from './from-rclone.ts';
import type { Plan } from './plan.ts';
import { readConf } from './rclone-conf.ts';
import type { LinkFileStore } from './store.ts';

interface Deps {
  readonly store: LinkFileStore;
  readonly links: Pick<Links, 'add'>;
  readonly authorizations: Pick<Authorizations, 'addBucket'>;
}

export type Importing = ReturnType<typeof createImporting>;

/** Imports remotes of an rclone.conf as links. Stores nothing of the file but what its links need. Rejects with AppError. */
export function createImporting({ store, links, authorizations }: Deps) {
  /** Saves the planned link; `continueAnyway` answers what a dialog would ask. */
  function save(
    caller: Caller,
    { family, provider, info }: Extract<Plan, { kind: 'link' }>,
    linkName: string,
    continueAnyway: boolean,
    signal: AbortSignal,
  ): Promise<SavedLink> {
    if (family === 'googlecloud') {
      const { bucketName = '', serviceAccountKey = '' } = info;
      return authorizations.addBucket(caller, { name: linkName, bucketName, serviceAccountKey, continueAnyway }, signal);
    }
    const draft = { connectionInfo: JSON.stringify(info), provider, linkName, validateConnection: !continueAnyway, continueAnyway };
    return links.add(families[family], caller.userId, draft, signal);
  }

  return {
    /** The file's remotes in order, without secrets. */
    async read(userId: string, config: string): Promise<Remote[]> {
      const sections = readConf(config);
      const taken = await store.nameKeys(userId);
      const bases = basesOf(sections);
      return sections.map(({ name, options }) => {
        const linkName = freeName(name, taken);
        taken.add(nameKeyOf(linkName));
        const type = options['type'] ?? '';
        return { remote: name, type, linkName, isBase: bases.has(name), ...shown(planOf(sections, name), type) };
      });
    },

    /**
     * Links one remote, under the first free name. Rejects with REMOTE_UNSUPPORTED, and with a dialog's errors: DUPLICATE_LINK, INVALID_CREDENTIALS,
     * CANNOT_CONNECT and related ones.
     */
    async add(caller: Caller, input: InputOf<typeof importRemote>, signal: AbortSignal): Promise<SavedLink> {
      const { config, remote, linkName = remote, bucketName = '', continueAnyway = false } = input;
      const plan = planOf(readConf(config), remote);
      if (plan.kind !== 'link') {
        const reason = plan.kind === 'authorize' ? reasonOf('REMOTE_AUTHORIZED', {}) : plan.reason;
        throw appError('REMOTE_UNSUPPORTED', { name: remote }, undefined, { reason });
      }
      const bucket = bucketName.trim();
      if (plan.needsBucket && bucket === '') throw appError('MISSING_PARAMETER', {});
      const whole = plan.needsBucket ? { ...plan, info: { ...plan.info, bucketName: bucket } } : plan;
      const taken = await store.nameKeys(caller.userId);
      for (;;) {
        const name = freeName(linkName, taken);
        try {
          return await save(caller, whole, name, continueAnyway, signal);
        } catch (error) {
          if (!(error instanceof AppError) || error.messageCode !== 'DUPLICATE_LINK_NAME') throw error;
          // A concurrent import was faster.
          taken.add(nameKeyOf(name));
        }
      }
    },
  };
}

function shown(plan: Plan, type: string): Pick<Remote, 'state' | 'provider' | 'title' | 'account' | 'note' | 'noteCode' | 'noteDetails'> {
  if (plan.kind === 'unsupported') {
    const { code: noteCode, details: noteDetails } = plan.reason;
    return { state: 'unsupported', title: type, account: '', note: reasonSentenceOf(englishWords, plan.reason), noteCode, noteDetails };
  }
  const title = findSource(plan.provider)?.title ?? plan.provider;
  if (plan.kind === 'authorize') return { state: 'authorize', provider: plan.provider, title, account: '' };
  return { state: plan.needsBucket ? 'bucket' : 'ready', provider: plan.provider, title, account: plan.account };
}

/** A valid name for a link, numbered when it is taken. */
function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const clean = [...wanted.toWellFormed().replaceAll(/\p{Cc}/gu, ' ')]
    .map((character) => (isForbidden(character) ? '_' : character))
    .join('');
  const name = isBlank(clean) ? 'rclone' : clean.trim().slice(0, limits.nameLength.max - 5);
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name} ${number}`;
    if (!taken.has(nameKeyOf(candidate))) return candidate;
  }
}
const isForbidden = (character: string): boolean => forbiddenInNames.some((forbidden) => forbidden === character);
