import { type Dialer, isKind } from '@sheaf/connectors';
import { AppError, type CompletedVerdict, type Verdict, appError } from '@sheaf/contract';
import { answerOf } from '#/links/connections/answers.ts';
import { storedInfo } from '#/links/connections/connections.ts';
import { type Proof, probe } from '#/links/connections/probe.ts';
import type { AppOf } from '#/links/grants/apps.ts';
import { type Info, isOtherServer } from './connection-info.ts';
import type { Family } from './families.ts';
import { type Prepared, withInfo } from './preparing.ts';
import { createRecently } from './recently.ts';
import type { LinkStore } from './store.ts';

/** Seconds in which a save may follow its check. */
const dialogTime = 900;

interface Deps {
  readonly store: LinkStore;
  readonly dialer: Dialer;
  readonly appOf: AppOf;
  readonly now: () => number;
}

/** A connection that works. */
export interface Proven {
  readonly proof: Proof;
  /** The draft, under the address at which its server really is. */
  readonly prepared: Prepared;
}

/** Proves connections before they are saved, and tells of accounts that are linked already. */
export function createChecking({ store, dialer, appOf, now }: Deps) {
  const proofs = createRecently<Proof>({ seconds: dialogTime, now });

  async function connect(accountId: string, prepared: Prepared, signal: AbortSignal): Promise<Proven> {
    const { family, source, definition, config, existing, info, fingerprint } = prepared;
    const known = existing && !isOtherServer(family, storedInfo(existing), info) ? existing.id : undefined;
    const recall = async (fact: string) => (known === undefined ? undefined : store.recall(known, fact));
    const proof = await probe({ definition, config, dialer, app: appOf(source), recall, signal });
    proofs.put(`${accountId} ${fingerprint}`, proof);
    return { proof, prepared };
  }

  return {
    /** Rejects with DUPLICATE_LINK when another link of the user leads to the same account. */
    async refuseDuplicate(accountId: string, { identity, existing }: Prepared): Promise<void> {
      const others = (await store.findByIdentity(accountId, identity)).filter(({ id }) => id !== existing?.id);
      if (others.length > 0) throw appError('DUPLICATE_LINK', {});
    },

    /**
     * Connects and lists the root; rejects with AppError. What it taught is kept for the save that follows. A server that sends the first question
     * to https on the same host is followed there; to any other place only the user can say so.
     */
    async prove(accountId: string, prepared: Prepared, signal: AbortSignal): Promise<Proven> {
      try {
        return await connect(accountId, prepared, signal).catch((error: unknown) => {
          const secure = isKind(error, 'moved') ? madeSecure(prepared, error.details['address'] ?? '') : undefined;
          if (!secure) throw error;
          return connect(accountId, secure, signal);
        });
      } catch (error) {
        const { source, info } = prepared;
        throw answerOf(error, { provider: source.title, info, name: startOf(info) });
      }
    },

    /** What the last check of the same connection has taught, if it worked. */
    provenBefore: (accountId: string, { fingerprint }: Prepared): Proof | undefined => proofs.get(`${accountId} ${fingerprint}`),
  };
}

/** The draft under that address, where it is the same host's by https instead of http. */
function madeSecure(prepared: Prepared, address: string): Prepared | undefined {
  const before = URL.parse(prepared.info['server'] ?? '');
  const after = URL.parse(address);
  if (before?.protocol !== 'http:' || after?.protocol !== 'https:' || before.hostname !== after.hostname) return undefined;
  const home = URL.parse(prepared.info['destinationUrl'] ?? '');
  return withInfo(prepared, { server: address, ...(home?.hostname === before.hostname && { destinationUrl: '' }) });
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
export function completedVerdict({ proof: { completed }, prepared: { sent, definition } }: Proven): CompletedVerdict {
  const found = Object.entries(completed ?? {}).filter(([field]) => !definition.secrets.includes(field));
  const completedConnectionInfo: Info = { ...sent, ...Object.fromEntries(found) };
  return { isValid: true, completedConnectionInfo };
}
