import type { Dialer } from '@sheaf/connectors';
import { AppError, type CompletedVerdict, type Verdict, appError } from '@sheaf/contract';
import { answerOf } from '#/connections/answers.ts';
import type { AppOf } from '#/connections/apps.ts';
import { storedInfo } from '#/connections/connections.ts';
import { type Proof, probe } from '#/connections/probe.ts';
import { type Info, isOtherServer } from './connection-info.ts';
import type { Family } from './families.ts';
import type { Prepared } from './preparing.ts';
import { createRecently } from './recently.ts';
import type { LinkStore } from './store.ts';

/** Seconds in which a save may follow its check, or a warning be overruled. */
const dialogTime = 900;

interface Deps {
  readonly store: LinkStore;
  readonly dialer: Dialer;
  readonly appOf: AppOf;
  readonly now: () => number;
}

/** Proves connections before they are saved, and tells of accounts that are linked already. */
export function createChecking({ store, dialer, appOf, now }: Deps) {
  const proofs = createRecently<Proof>({ seconds: dialogTime, now });
  const warned = createRecently<true>({ seconds: dialogTime, now });

  return {
    /**
     * Rejects with DUPLICATE_LINK when another link of the user leads to the same account: once, so that the user who goes on all the same
     * gets what they want the next time.
     */
    async refuseDuplicate(accountId: string, { identity, existing }: Prepared): Promise<void> {
      const others = (await store.findByIdentity(accountId, identity)).filter(({ id }) => id !== existing?.id);
      const key = `${accountId} ${identity}`;
      if (others.length === 0 || warned.get(key)) return;
      warned.put(key, true);
      throw appError('DUPLICATE_LINK', {});
    },

    /** Connects and lists the root; rejects with AppError. What it taught is kept for the save that follows. */
    async prove(
      accountId: string,
      { source, definition, config, existing, info, fingerprint }: Prepared,
      signal: AbortSignal,
    ): Promise<Proof> {
      try {
        const known = existing && !isOtherServer(storedInfo(existing), info) ? existing.id : undefined;
        const recall = async (fact: string) => (known === undefined ? undefined : store.recall(known, fact));
        const proof = await probe({ definition, config, dialer, app: appOf(source), recall, signal });
        proofs.put(`${accountId} ${fingerprint}`, proof);
        return proof;
      } catch (error) {
        throw answerOf(error, { provider: source.title, info, name: startOf(info) });
      }
    },

    /** What the last check of the same connection has taught, if it worked. */
    provenBefore: (accountId: string, { fingerprint }: Prepared): Proof | undefined => proofs.get(`${accountId} ${fingerprint}`),

    /** After a save: the next duplicate is worth a warning again. */
    forgetWarning: (accountId: string, { identity }: Prepared): void => warned.forget(`${accountId} ${identity}`),
  };
}

/** Where a connection begins, in the words in which the user has entered it. */
const startOf = (info: Info): string => info['path'] || info['destinationUrl'] || info['server'] || info['host'] || '/';

/** What a check that failed answers: "not valid" where the user may go on or correct it, else the error itself is thrown. */
export function verdictOn(error: unknown, { strict }: Family): Verdict {
  if (!(error instanceof AppError) || strict === 'all' || strict.has(error.messageCode) || error.messageCode === 'UNEXPECTED') throw error;
  const { fingerprint } = error.details;
  return { isValid: false, ...error.toAnswer(), ...(error.messageCode === 'HOST_KEY_CHANGED' && fingerprint && { hostKey: fingerprint }) };
}

/** What the dialog is to save: what it has sent, with what the check has found out. Secrets stay as they were sent. */
export function completedVerdict({ completed }: Proof, { sent, definition }: Prepared): CompletedVerdict {
  const found = Object.entries(completed ?? {}).filter(([field]) => !definition.secrets.includes(field));
  const completedConnectionInfo: Info = { ...sent, ...Object.fromEntries(found) };
  return { isValid: true, completedConnectionInfo };
}
