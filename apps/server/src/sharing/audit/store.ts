import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type AuditRow = Database['audit_event'];

/** Selects a log: an account's (a person's or an organisation's), or all events about a Space. */
export type Log = { readonly accountId: string } | { readonly spaceId: string };

/** Store for reading the log; the stores of each noun write into it. */
export function createAuditStore(db: Db) {
  return {
    /** Newest first, before the given event. */
    page(log: Log, before: string | undefined, limit: number): Promise<AuditRow[]> {
      const rows = db.selectFrom('audit_event').selectAll().orderBy('id', 'desc').limit(limit);
      const ofLog = 'spaceId' in log ? rows.where('spaceId', '=', log.spaceId) : rows.where('accountId', '=', log.accountId);
      return (before === undefined ? ofLog : ofLog.where('id', '<', before)).execute();
    },

    /** What the account's own log says of one of these objects, the newest first. */
    about: (accountId: string, subjectIds: readonly string[], limit: number): Promise<AuditRow[]> =>
      db
        .selectFrom('audit_event')
        .selectAll()
        .where('accountId', '=', accountId)
        .where('subjectId', 'in', subjectIds)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    /** The user's role in the Space, with its name; undefined for non-members. */
    inSpace: (userId: string, spaceId: string): Promise<{ role: string; name: string } | undefined> =>
      db
        .selectFrom('space_member')
        .innerJoin('space', 'space.id', 'space_member.spaceId')
        .select(['space_member.role', 'space.name'])
        .where('space_member.spaceId', '=', spaceId)
        .where('space_member.accountId', '=', userId)
        .executeTakeFirst(),

    /** The user's role in the organisation, with its name; undefined for non-members. */
    inOrg: (userId: string, orgId: string): Promise<{ role: string; name: string } | undefined> =>
      db
        .selectFrom('org_member')
        .innerJoin('account', 'account.id', 'org_member.orgId')
        .select(['org_member.role', 'account.name'])
        .where('org_member.orgId', '=', orgId)
        .where('org_member.accountId', '=', userId)
        .executeTakeFirst(),
  };
}
export type AuditStore = ReturnType<typeof createAuditStore>;
