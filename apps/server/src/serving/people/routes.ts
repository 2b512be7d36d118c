import {
  closePerson,
  keepPerson,
  listOperatorLog,
  listPeople,
  removePersonFactor,
  setPersonDisabled,
  setPersonOperator,
  signOutPerson,
} from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import type { Caller } from '#/platform/http/session.ts';
import type { People } from './service.ts';

/** The calls of `contract/calls/people.ts`. */
export function peopleRoutes(app: FastifyInstance, people: People): void {
  const done = (change: Promise<unknown>): Promise<Record<string, never>> => change.then(() => ({}));
  serve(app, listPeople, ({ userId, input }) => people.list(userId, input.query ?? '', input.after ?? ''));
  serve(app, listOperatorLog, ({ userId, input }) => people.log(userId, input.before));
  serve(app, setPersonDisabled, ({ session, input }) => done(people.setDisabled(session, input.personId, input.isOn)));
  serve(app, setPersonOperator, ({ session, input }) => done(people.setOperator(session, input.personId, input.isOn)));
  const changes: readonly [typeof keepPerson, (caller: Caller, personId: string) => Promise<void>][] = [
    [signOutPerson, people.signOut],
    [removePersonFactor, people.removeFactor],
    [keepPerson, people.keep],
  ];
  for (const [call, change] of changes) serve(app, call, ({ session, input }) => done(change(session, input.personId)));
  serve(app, closePerson, ({ session, input }) => people.close(session, input.personId));
}
