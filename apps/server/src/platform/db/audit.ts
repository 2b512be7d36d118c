import { randomBytes } from 'node:crypto';
import type { AuditAction } from '@sheaf/contract';
import type { Db } from './schema/engine.ts';

/** An action of a user, or an automatic event. */
export interface AuditEvent {
  /** The log it belongs to: a person's or an organisation's account. */
  readonly accountId: string;
  /** The Space concerned; the event also appears in the Space's log. */
  readonly spaceId?: string;
  /** Absent for automatic events. */
  readonly actorId?: string;
  /** Names a directory outside that did it. */
  readonly actorName?: string;
  readonly action: AuditAction;
  readonly subjectId: string;
  readonly subjectName: string;
  /** Values for the action's sentence; never a secret. */
  readonly details?: Readonly<Record<string, string>>;
  /** Epoch seconds. */
  readonly at: number;
}

/** Adds an event to the log. Stores call it within the transaction of the change, so that the log holds exactly what was committed. */
export async function recordAudit(transaction: Db, { actorId, actorName, details = {}, spaceId, ...event }: AuditEvent): Promise<void> {
  const actor =
    actorId === undefined ? undefined : await transaction.selectFrom('account').select('name').where('id', '=', actorId).executeTakeFirst();
  await transaction
    .insertInto('audit_event')
    .values({
      ...event,
      id: newEventId(),
      spaceId: spaceId ?? null,
      actorId: actorId ?? null,
      actorName: actor?.name ?? actorName ?? 'Sheaf',
      details: JSON.stringify(details),
    })
    .execute();
}

let last = 0n;
/** Microseconds since the epoch, incremented within the same one, then random bits against other instances: ids sort by creation. */
export function newEventId(): string {
  const now = BigInt(Math.trunc((performance.timeOrigin + performance.now()) * 1000));
  last = now > last ? now : last + 1n;
  return `${last.toString(36).padStart(12, '0')}${randomBytes(6).toString('hex')}`;
}
