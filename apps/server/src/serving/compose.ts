import { redirectPath } from '@sheaf/contract';
import type { Access } from '#/access/access.ts';
import type { Platform } from '#/platform/compose.ts';
import { createHandoffs } from './handoff/service.ts';
import { createHandoffStore } from './handoff/store.ts';
import { createOperator } from './operator/service.ts';

type OperatorDeps = Parameters<typeof createOperator>[0];

interface Deps extends Pick<OperatorDeps, 'operators' | 'appOf' | 'findDefinition' | 'dialer' | 'jobs'> {
  readonly access: Pick<Access, 'has'>;
  readonly hasPremium: (accountId: string) => Promise<boolean>;
}

/** Builds hand-offs to other programs, and the operator's pages. */
export function composeServing(
  { db, now, publicUrl }: Platform,
  { access, hasPremium, operators, appOf, findDefinition, dialer, jobs }: Deps,
) {
  return {
    handoffs: createHandoffs({ store: createHandoffStore(db), hasPremium, isLinkOf: access.has, publicUrl, now }),
    operator: createOperator({
      operators,
      appOf,
      findDefinition,
      dialer,
      jobs,
      redirectUri: publicUrl + redirectPath,
    }),
  };
}
