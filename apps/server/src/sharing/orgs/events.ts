import type { AuditEvent } from '#/platform/db/audit.ts';

/** Who changes something, and the time in epoch seconds: a user, or a directory by its title. */
export interface By {
  readonly actorId?: string;
  readonly actorName?: string;
  readonly at: number;
}

/** The acting user, and the time in epoch seconds. */
export interface Act extends By {
  readonly actorId: string;
}

/** An event for the organisation's log. */
export const orgEvent = (
  orgId: string,
  name: string,
  action: AuditEvent['action'],
  by: By,
  details?: AuditEvent['details'],
): AuditEvent => ({ accountId: orgId, ...by, action, subjectId: orgId, subjectName: name, ...(details && { details }) });
