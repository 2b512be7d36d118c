import { type LimitedAccount, type Limits, type ReplyOf, type showLimits, appError } from '@sheaf/contract';
import type { Operators } from '#/identity/admission/operators.ts';
import type { LimitStore, LimitedRow } from '#/identity/limits/store.ts';
import type { Background } from '#/platform/background.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { limitsMail } from './mails.ts';

/** Most accounts that a search finds. */
const mostFound = 20;

interface Deps {
  readonly operators: Pick<Operators, 'require'>;
  readonly store: Omit<LimitStore, 'rulesOf'>;
  readonly mailer: Mailer;
  readonly background: Background;
  readonly now: Clock;
}

export type OperatedLimits = ReturnType<typeof createOperatedLimits>;

/** Limits as operators see and set them. Rejects with NOT_OPERATOR for everybody else. */
export function createOperatedLimits({ operators, store, mailer, background, now }: Deps) {
  return {
    async show(userId: string): Promise<ReplyOf<typeof showLimits>> {
      await operators.require(userId);
      const [everyone, rows] = await Promise.all([store.everyone(), store.limited()]);
      return { everyone, accounts: rows.map(shown) };
    },

    async search(userId: string, query: string): Promise<LimitedAccount[]> {
      await operators.require(userId);
      const rows = await store.search(query.trim().normalize('NFC').toLowerCase(), mostFound);
      return rows.map(shown);
    },

    /** Replaces the limits of one account, or everyone's; throws PERSON_GONE. A person is told by mail. */
    async set(userId: string, accountId: string | undefined, limits: Limits): Promise<void> {
      await operators.require(userId);
      const account = accountId === undefined ? undefined : await store.find(accountId);
      if (accountId !== undefined && !account) throw appError('PERSON_GONE', {});
      const subject = account === undefined ? 'everyone' : account.kind === 'person' ? account.email : account.name;
      await store.replace(accountId, limits, {
        actorId: userId,
        action: 'limits.set',
        ...(accountId !== undefined && { subjectId: accountId }),
        subject,
        at: now(),
      });
      if (account?.kind === 'person' && account.id !== userId)
        background.start('mail limits', () => mailer.send({ to: account.email, ...limitsMail(account.name, linesOf(limits)) }));
    },
  };
}

const shown = ({ id, name, email, kind, limits }: LimitedRow): LimitedAccount => ({
  accountId: id,
  name,
  kind: kind === 'person' ? 'person' : 'organisation',
  ...(kind === 'person' && { email }),
  limits,
});

function linesOf({ links, shares, transfers, bandwidth }: Limits): string[] {
  return [
    ...(links === undefined ? [] : [`Links: at most ${links}.`]),
    ...(shares === undefined ? [] : [`Shared links: at most ${shares}.`]),
    ...(transfers === undefined ? [] : [`Transfers at the same time: at most ${transfers}.`]),
    ...(bandwidth === undefined ? [] : [`Speed of all transfers together: at most ${Math.round(bandwidth / 1024)} KiB a second.`]),
  ];
}
