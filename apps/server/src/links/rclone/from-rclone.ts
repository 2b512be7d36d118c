import { reasonOf } from '@sheaf/contract';
import { bucketRemotes } from './bucket-remotes.ts';
import { type Options, type Plan, unsupported } from './plan.ts';
import type { Section } from './rclone-conf.ts';
import { serverRemotes } from './server-remotes.ts';

/** How the remote of that name is linked; a missing one is not supported. */
export function planOf(sections: readonly Section[], name: string): Plan {
  const options = sections.find((section) => section.name === name)?.options;
  if (!options) return unsupported('REMOTE_NOT_THERE');
  if (options['type'] !== 'alias') return plan(options, '');
  const [, base = '', start = ''] = /^([^:]*):(.*)$/.exec(options['remote'] ?? '') ?? [];
  const target = sections.find((section) => section.name === base)?.options;
  if (!target || target['type'] === 'alias') return unsupported('REMOTE_TARGET_MISSING');
  return plan(target, start);
}

/** Names of remotes that others refer to. */
export const basesOf = (sections: readonly Section[]): ReadonlySet<string> =>
  new Set(sections.flatMap(({ options }) => (options['type'] === 'alias' ? [(options['remote'] ?? '').replace(/:.*$/s, '')] : [])));

function plan(options: Options, start: string): Plan {
  const type = options['type'] ?? '';
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined;
  if (read) return read(options, start);
  const provider = signInProviders.get(type);
  if (provider !== undefined) return { kind: 'authorize', provider };
  if (wrappers.has(type)) return unsupported('REMOTE_WRAPPER');
  return type === '' ? unsupported('REMOTE_TYPE_MISSING') : { kind: 'unsupported', reason: reasonOf('REMOTE_TYPE_UNKNOWN', { type }) };
}

const readers = { ...serverRemotes, ...bucketRemotes };
const signInProviders: ReadonlyMap<string, string> = new Map([
  ['box', 'Box'],
  ['drive', 'GoogleDrive'],
  ['dropbox', 'Dropbox'],
  ['onedrive', 'OneDrive'],
]);
const wrappers: ReadonlySet<string> = new Set(['cache', 'chunker', 'combine', 'compress', 'crypt', 'hasher', 'union']);
