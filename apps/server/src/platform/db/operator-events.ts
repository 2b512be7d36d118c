import type { OperatorAction } from '@sheaf/contract';
import { newEventId } from './audit.ts';
import type { Db } from './schema/engine.ts';

/** Something an operator did. */
export interface OperatorEvent {
  readonly actorId: string;
  readonly action: OperatorAction;
  /** The account concerned, if any. */
  readonly subjectId?: string;
  /** Address of the person, or what else it concerns; never content, a file's name or a secret. */
  readonly subject: string;
  /** Epoch seconds. */
  readonly at: number;
}

/** Adds an event to the operators' log. Stores call it within the transaction of the change. */
export async function recordOperatorEvent(transaction: Db, { actorId, subjectId, ...event }: OperatorEvent): Promise<void> {
  const actor = await transaction.selectFrom('account').select(['name', 'email']).where('id', '=', actorId).executeTakeFirst();
  await transaction
    .insertInto('operatorEvent')
    .values({
      ...event,
      id: newEventId(),
      actorId,
      actor: actor ? `${actor.name} (${actor.email})` : actorId,
      subjectId: subjectId ?? null,
    })
    .execute();
}
