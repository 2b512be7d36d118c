import { type Person, appError, listSeparator } from '@sheaf/contract';
import type { Operators } from '#/identity/admission/operators.ts';
import type { Agents } from '#/identity/agents/service.ts';
import type { AppPasswords } from '#/identity/app-passwords/service.ts';
import type { AuthCodes } from '#/identity/auth-codes/service.ts';
import type { Closings } from '#/identity/profile/closing.ts';
import type { SecondFactors } from '#/identity/second-factors/service.ts';
import type { Reauthentication } from '#/identity/sessions/reauthentication.ts';
import type { Sessions } from '#/identity/sessions/sessions.ts';
import type { Background } from '#/platform/background.ts';
import type { Clock } from '#/platform/clock.ts';
import type { OperatorEvent } from '#/platform/db/operator-events.ts';
import type { Caller } from '#/platform/http/session.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { type OperatorAct, operatorActMail } from './mails.ts';
import { type PeopleStore, stateOf } from './store.ts';

const pageSize = 50;
const logSize = 100;

interface Deps {
  readonly store: PeopleStore;
  readonly operators: Operators;
  readonly reauthentication: Pick<Reauthentication, 'require'>;
  readonly sessions: Pick<Sessions, 'endAll'>;
  readonly authCodes: Pick<AuthCodes, 'revokeAll' | 'forget'>;
  readonly agents: Pick<Agents, 'recheck'>;
  readonly appPasswords: Pick<AppPasswords, 'revokeAll' | 'recheck'>;
  readonly factors: Pick<SecondFactors, 'removeAll'>;
  readonly closings: Pick<Closings, 'closeFor' | 'keepFor'>;
  /** Ends running work of an account that has lost the right to it. */
  readonly access: { recheck(accountId: string): Promise<void> };
  readonly connections: { recheck(accountId: string): Promise<void> };
  readonly mailer: Mailer;
  readonly background: Background;
  readonly publicUrl: string;
  readonly now: Clock;
}

export type People = ReturnType<typeof createPeople>;

/**
 * Accounts as operators see and change them. Throws NOT_OPERATOR for everybody else. Changes need a recent reauthentication, because an open browser of
 * an operator is a way to every account; they are logged, and the person concerned is told by mail.
 */
export function createPeople(deps: Deps) {
  const { store, operators, reauthentication, sessions, authCodes, agents, appPasswords, factors, closings, access, connections } = deps;
  const { mailer, background, publicUrl, now } = deps;

  /** The account to change; throws PERSON_GONE, and OPERATOR_SELF for one's own. */
  async function subjectOf(caller: Caller, personId: string) {
    await operators.require(caller.userId);
    await reauthentication.require(caller);
    if (personId === caller.userId) throw appError('OPERATOR_SELF', {});
    const person = await store.find(personId);
    if (!person) throw appError('PERSON_GONE', {});
    const event = (action: OperatorEvent['action']): OperatorEvent => ({
      actorId: caller.userId,
      action,
      subjectId: person.id,
      subject: person.email,
      at: now(),
    });
    const tell = (act: OperatorAct): void =>
      background.start('mail operator act', () => mailer.send({ to: person.email, ...operatorActMail(person.name, act, publicUrl) }));
    return { person, event, tell };
  }

  /** Ends what the account runs in this process; other instances hear of the change from the database. */
  async function endWork(accountId: string): Promise<void> {
    await sessions.endAll(accountId);
    authCodes.forget(accountId);
    await appPasswords.recheck(accountId);
    await agents.recheck(accountId);
    await Promise.all([connections.recheck(accountId), access.recheck(accountId)]);
  }

  return {
    async list(userId: string, query: string, after: string): Promise<{ people: Person[]; next?: string }> {
      await operators.require(userId);
      const rows = await store.page({ query: query.trim().normalize('NFC').toLowerCase(), after, limit: pageSize + 1 });
      const shown = rows.slice(0, pageSize);
      const people = shown.map(({ id, name, email, emailKey, verifiedAt, createdAt, closesAt, lastSeenAt, ...row }) => ({
        personId: id,
        name,
        email,
        state: stateOf({ ...row, verifiedAt, closesAt }),
        isOperator: row.isOperator || operators.isNamed({ emailKey, verifiedAt }),
        isOperatorBySettings: operators.isNamed({ emailKey, verifiedAt }),
        isYou: id === userId,
        hasSecondFactor: row.hasSecondFactor,
        createdAt,
        ...(lastSeenAt !== undefined && { lastSeenAt }),
        ...(closesAt !== null && { closesAt }),
        links: row.links,
        storedNames: row.storedNames,
      }));
      const last = shown.at(-1);
      return { people, ...(rows.length > pageSize && last && { next: last.emailKey }) };
    },

    /** Disables the account: its sessions, tokens, app passwords, streams and transfers end at once. Or enables it again. */
    async setDisabled(caller: Caller, personId: string, isOn: boolean): Promise<void> {
      const { person, event, tell } = await subjectOf(caller, personId);
      const isChanged = await (isOn ? store.disable(person.id, event('people.disable')) : store.enable(person.id, event('people.enable')));
      if (isOn) await endWork(person.id);
      if (isChanged) tell(isOn ? 'disabled' : 'enabled');
    },

    async setOperator(caller: Caller, personId: string, isOn: boolean): Promise<void> {
      const { person, event, tell } = await subjectOf(caller, personId);
      const isChanged = await (isOn
        ? store.makeOperator(person.id, event('people.makeOperator'))
        : store.removeOperator(person.id, event('people.removeOperator')));
      if (isChanged) tell(isOn ? 'operatorMade' : 'operatorRemoved');
    },

    /** Ends sessions, and revokes authentication codes and app passwords. */
    async signOut(caller: Caller, personId: string): Promise<void> {
      const { person, event, tell } = await subjectOf(caller, personId);
      await store.record(event('people.signOut'));
      await sessions.endAll(person.id);
      await authCodes.revokeAll(person.id);
      await appPasswords.revokeAll(person.id);
      tell('signedOut');
    },

    /** Removes second factors, passkeys and recovery codes. */
    async removeFactor(caller: Caller, personId: string): Promise<void> {
      const { person, event, tell } = await subjectOf(caller, personId);
      await store.record(event('people.removeFactor'));
      if ((await factors.removeAll(person.id)).length > 0) tell('factorRemoved');
    },

    /** Throws PERSON_OWNS_ORGANISATIONS. */
    async close(caller: Caller, personId: string): Promise<{ closesAt: number }> {
      const { person, event } = await subjectOf(caller, personId);
      const outcome = await closings.closeFor(person.id, caller.userId);
      if ('owned' in outcome) throw appError('PERSON_OWNS_ORGANISATIONS', { organisations: outcome.owned.join(listSeparator) });
      await store.record(event('people.close'));
      await endWork(person.id);
      return outcome;
    },

    async keep(caller: Caller, personId: string): Promise<void> {
      const { person, event, tell } = await subjectOf(caller, personId);
      if (!(await closings.keepFor(person.id, caller.userId))) return;
      await store.record(event('people.keep'));
      tell('kept');
    },

    async log(userId: string, before: string | undefined) {
      await operators.require(userId);
      const rows = await store.log(before, logSize);
      const last = rows.at(-1);
      return {
        entries: rows.map(({ id, at, actor, action, subject }) => ({ entryId: id, at, actor, action, subject })),
        ...(rows.length === logSize && last && { next: last.id }),
      };
    },
  };
}
