import { areWords, tidyWords } from '@sheaf/vault';
import type { Way } from '../crypt/requests.ts';

export type WayKind = 'passphrase' | 'words';

/** Parses what the user typed: a passphrase, recovery words, or the two rclone passwords on two lines. */
export function wayOf(kind: WayKind, text: string): Way {
  if (kind === 'passphrase') return { passphrase: text };
  const tidy = tidyWords(text);
  if (areWords(tidy)) return { password: tidy, password2: '' };
  const [password = '', password2 = ''] = text.split(/\r?\n/);
  return { password, password2 };
}

export const wrongWay = (kind: WayKind): string =>
  kind === 'passphrase'
    ? 'This is not the passphrase of this vault. It was checked in this browser; nothing was sent.'
    : 'These words do not open this vault. They were checked in this browser; nothing was sent.';
