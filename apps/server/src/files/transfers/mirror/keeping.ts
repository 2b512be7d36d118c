import { type KeepVersionsRule, appError } from '@sheaf/contract';
import type { OpenItem } from '#/files/items/open-item.ts';

/** Rejects where a mirror is to leave what it replaces and deletes to a storage that certainly keeps nothing. */
export function refuseToLose({ hasBin, mayKeepVersions, provider }: OpenItem, keepVersions: KeepVersionsRule): void {
  if (keepVersions === 'provider' && !hasBin && !mayKeepVersions) throw appError('MIRROR_KEEPS_NOTHING', { provider });
}
