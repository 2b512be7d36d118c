import { type AuditEntry, appError, auditSentence, orgRights, spaceRights } from '@sheaf/contract';
import { csvLine } from '#/platform/csv.ts';
import type { AuditRow, AuditStore, Log } from './store.ts';

/** Events read at once for an export. */
const exportPage = 500;

/** Selects a log: the user's own when neither is given. */
interface LogRef {
  readonly spaceOid?: string;
  readonly orgOid?: string;
}

export type Audit = ReturnType<typeof createAudit>;

/** The audit log, for those it concerns. Rejects with AppError. */
export function createAudit({ store }: { readonly store: AuditStore }) {
  /** Rejects with SPACE_NOT_FOUND, ORG_NOT_FOUND for non-members, and with ROLE_FORBIDS for members who may not read it. */
  async function allowed(userId: string, { spaceOid, orgOid }: LogRef): Promise<Log> {
    if (spaceOid !== undefined) {
      const member = await store.inSpace(userId, spaceOid);
      if (!member) throw appError('SPACE_NOT_FOUND', {});
      if (!spaceRights.audit.some((role) => role === member.role)) throw appError('ROLE_FORBIDS', { name: member.name });
      return { spaceId: spaceOid };
    }
    if (orgOid === undefined) return { accountId: userId };
    const member = await store.inOrg(userId, orgOid);
    if (!member) throw appError('ORG_NOT_FOUND', {});
    if (!orgRights.audit.some((role) => role === member.role)) throw appError('ROLE_FORBIDS', { name: member.name });
    return { accountId: orgOid };
  }

  async function* all(log: Log): AsyncGenerator<AuditEntry[]> {
    for (let before: string | undefined; ;) {
      const rows = await store.page(log, before, exportPage);
      yield rows.map(entryOf);
      before = rows.at(-1)?.id;
      if (rows.length < exportPage) return;
    }
  }

  return {
    async list(userId: string, { before, limit, ...ref }: LogRef & { readonly before?: string; readonly limit: number }) {
      const rows = await store.page(await allowed(userId, ref), before, limit + 1);
      return { entries: rows.slice(0, limit).map(entryOf), hasMore: rows.length > limit };
    },

    /** What the user's own log says of one of these objects. */
    about: async (userId: string, subjectIds: readonly string[], limit: number): Promise<AuditEntry[]> =>
      (await store.about(userId, subjectIds, limit)).map(entryOf),

    /** Streams the whole log, newest first. */
    async export(userId: string, ref: LogRef, format: 'csv' | 'json'): Promise<AsyncGenerator<string>> {
      const pages = all(await allowed(userId, ref));
      return format === 'csv' ? asCsv(pages) : asJson(pages);
    },
  };
}

const entryOf = ({ id, at, actorId, actorName, action, subjectName, details }: AuditRow): AuditEntry => ({
  id,
  at,
  actorName,
  ...(actorId !== null && { actorId }),
  action,
  sentence: auditSentence(action, subjectName, JSON.parse(details) as Record<string, string>),
  name: subjectName,
});

const timeOf = ({ at }: AuditEntry): string => new Date(at * 1000).toISOString();

async function* asCsv(pages: AsyncIterable<AuditEntry[]>): AsyncGenerator<string> {
  // Without a byte order mark spreadsheets assume an older encoding.
  yield `\uFEFF${csvLine(['Time', 'Who', 'What', 'Action', 'Name'])}`;
  for await (const entries of pages) {
    yield entries.map((entry) => csvLine([timeOf(entry), entry.actorName, entry.sentence, entry.action, entry.name])).join('');
  }
}

async function* asJson(pages: AsyncIterable<AuditEntry[]>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const entries of pages) {
    for (const entry of entries) {
      yield `${separator}${JSON.stringify({ time: timeOf(entry), ...entry })}`;
      separator = ',\n';
    }
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}
