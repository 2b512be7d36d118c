import { randomBytes } from 'node:crypto';
import type { AuditAction } from '@sheaf/contract';
import type { Db } from './schema/engine.ts';

/** Something that somebody did, or that happened by itself. */
export interface AuditEvent {
  /** Whose log it belongs to: a person's or an organisation's account. */
  readonly accountId: string;
  /** The space it is about, so that it also stands in the space's log. */
  readonly spaceId?: string;
  /** Absent for what happened by itself. */
  readonly actorId?: string;
  readonly action: AuditAction;
  readonly subjectId: string;
  readonly subjectName: string;
  /** What fills the action's sentence; never a secret. */
  readonly details?: Readonly<Record<string, string>>;
  /** Epoch seconds. */
  readonly at: number;
}

/**
 * Writes an event into the log. Called by stores within the transaction of the change itself: what was done is written down, and what was
 * not done is not.
 */
export async function recordAudit(transaction: Db, { actorId, details = {}, spaceId, ...event }: AuditEvent): Promise<void> {
  const actor =
    actorId === undefined ? undefined : await transaction.selectFrom('account').select('name').where('id', '=', actorId).executeTakeFirst();
  await transaction
    .insertInto('audit_event')
    .values({
      ...event,
      id: newEventId(),
      spaceId: spaceId ?? null,
      actorId: actorId ?? null,
      actorName: actor?.name ?? 'Sheaf',
      details: JSON.stringify(details),
    })
    .execute();
}

let last = 0n;
/** Microseconds since the epoch, one more for each within the same, then noise for other instances: ids sort as they were made. */
function newEventId(): string {
  const now = BigInt(Math.trunc((performance.timeOrigin + performance.now()) * 1000));
  last = now > last ? now : last + 1n;
  return `${last.toString(36).padStart(12, '0')}${randomBytes(6).toString('hex')}`;
}
