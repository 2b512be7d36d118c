import type { Reach } from '#/access/reach.ts';
import type { AuthCodes } from '#/identity/auth-codes/service.ts';
import type { Sessions } from '#/identity/sessions/sessions.ts';
import type { Connections } from '#/links/connections/connections.ts';
import type { Background } from '#/platform/background.ts';
import { type Following, followChanges } from '#/platform/db/changes.ts';
import type { Visits } from './weblinks/visits.ts';

interface Deps {
  readonly databaseUrl: string;
  readonly sessions: Pick<Sessions, 'forget'>;
  readonly authCodes: Pick<AuthCodes, 'forget'>;
  readonly reach: Pick<Reach, 'recheck'>;
  readonly connections: Pick<Connections, 'recheck'>;
  readonly visits: Pick<Visits, 'recheck'>;
  readonly background: Background;
  /** Wakes the jobs of this process. */
  readonly onJob: () => void;
  readonly onTrouble: (error: Error) => void;
}

/**
 * Makes a right that was withdrawn on another instance hold here: what is remembered of it is looked up anew, and what is under way by it ends.
 * After a time in which changes could not be heard, everything is looked up anew.
 */
export function followWithdrawals(deps: Deps): Promise<Following> {
  const { databaseUrl, sessions, authCodes, reach, connections, visits, background, onJob, onTrouble } = deps;
  const recheck = (accountId?: string): void => {
    sessions.forget(accountId);
    authCodes.forget(accountId);
    // Links first: whoever loses a link is to hear of that, not of a right that is gone.
    background.start('look up changed links', () => connections.recheck(accountId));
    background.start('look up changed rights', () => reach.recheck(accountId));
  };
  const recheckVisits = (weblinkId?: string): void => background.start('look up changed shares', () => visits.recheck(weblinkId));
  return followChanges({
    databaseUrl,
    onJob,
    onChange({ table, account, id }) {
      recheck(account);
      if (table === 'weblink') recheckVisits(id);
    },
    onGap() {
      onJob();
      recheck();
      recheckVisits();
    },
    onTrouble,
  });
}
