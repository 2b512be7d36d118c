import type { Access } from '#/access/access.ts';
import type { Agents } from '#/identity/agents/service.ts';
import type { AppPasswords } from '#/identity/app-passwords/service.ts';
import type { AuthCodes } from '#/identity/auth-codes/service.ts';
import type { Sessions } from '#/identity/sessions/sessions.ts';
import type { Connections } from '#/links/connections/connections.ts';
import type { Background } from '#/platform/background.ts';
import { type Following, followChanges } from '#/platform/db/changes.ts';
import type { Visits } from './weblinks/visits.ts';

interface Deps {
  readonly databaseUrl: string;
  readonly sessions: Pick<Sessions, 'forget'>;
  readonly agents: Pick<Agents, 'recheck'>;
  readonly appPasswords: Pick<AppPasswords, 'recheck'>;
  readonly authCodes: Pick<AuthCodes, 'forget'>;
  readonly access: Pick<Access, 'recheck'>;
  readonly connections: Pick<Connections, 'recheck'>;
  readonly visits: Pick<Visits, 'recheck'>;
  readonly background: Background;
  /** Wakes the jobs of this process. */
  readonly onJob: () => void;
  /** Changed folders, as other instances tell of them. */
  readonly onFolders: (payload: string) => void;
  readonly onFoldersMissed: () => void;
  readonly onTrouble: (error: Error) => void;
}

/**
 * Applies rights that were withdrawn on another instance: drops what is cached about them and ends work under way. After a gap in listening, rechecks
 * everything.
 */
export function followWithdrawals(deps: Deps): Promise<Following> {
  const {
    databaseUrl,
    sessions,
    agents,
    appPasswords,
    authCodes,
    access,
    connections,
    visits,
    background,
    onJob,
    onFolders,
    onFoldersMissed,
    onTrouble,
  } = deps;
  const recheck = (accountId?: string): void => {
    sessions.forget(accountId);
    authCodes.forget(accountId);
    background.start('look up changed app passwords', () => appPasswords.recheck(accountId));
    background.start('look up changed agents', () => agents.recheck(accountId));
    // Links first: a user who loses a link is told about the link, not about a missing right.
    background.start('look up changed links', () => connections.recheck(accountId));
    background.start('look up changed rights', () => access.recheck(accountId));
  };
  const recheckVisits = (weblinkId?: string): void => background.start('look up changed shares', () => visits.recheck(weblinkId));
  return followChanges({
    databaseUrl,
    onJob,
    onFolders,
    onChange({ table, account, id }) {
      recheck(account);
      if (table === 'weblink') recheckVisits(id);
    },
    onGap() {
      onJob();
      recheck();
      recheckVisits();
      onFoldersMissed();
    },
    onTrouble,
  });
}
