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

/** Seconds within which a save may use its check. */
const dialogTime = 900;

interface Deps {
  readonly store: LinkStore;
  readonly dialer: Dialer;
  readonly appOf: AppOf;
  readonly now: () => number;
}

/** A working connection. */
export interface Proven {
  readonly proof: Proof;
  /** The draft, with the address that its server redirects to. */
  readonly prepared: Prepared;
}

/** Checks connections before they are saved, and reports accounts that are linked already. */
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
     * Connects and lists the root; rejects with AppError. Keeps its results for the save that follows. Follows a redirect of the first request to
     * https on the same host; any other needs the user's consent.
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

    /** Results of the last successful check of the same connection. */
    provenBefore: (accountId: string, { fingerprint }: Prepared): Proof | undefined => proofs.get(`${accountId} ${fingerprint}`),
  };
}

/** The draft with that address, if it is the same host by https instead of http. */
function madeSecure(prepared: Prepared, address: string): Prepared | undefined {
  const before = URL.parse(prepared.info['server'] ?? '');
  const after = URL.parse(address);
  if (before?.protocol !== 'http:' || after?.protocol !== 'https:' || before.hostname !== after.hostname) return undefined;
  const home = URL.parse(prepared.info['destinationUrl'] ?? '');
  return withInfo(prepared, { server: address, ...(home?.hostname === before.hostname && { destinationUrl: '' }) });
}

/** The connection's address in the user's notation. */
const startOf = (info: Info): string => info['path'] || info['destinationUrl'] || info['server'] || info['host'] || '/';

/** The answer of a failed check: "not valid" when the user may continue or correct it, else throws the error. */
export function verdictOn(error: unknown, { strict }: Family): Verdict {
  if (!(error instanceof AppError) || strict === 'all' || strict.has(error.messageCode) || error.messageCode === 'UNEXPECTED') throw error;
  const { fingerprint } = error.details;
  return { isValid: false, ...error.toAnswer(), ...(error.messageCode === 'HOST_KEY_CHANGED' && fingerprint && { hostKey: fingerprint }) };
}

/** Connection info for the dialog to save: its own, completed by the check. Secrets stay as they were sent. */
export function completedVerdict({ proof: { completed }, prepared: { sent, definition } }: Proven): CompletedVerdict {
  const found = Object.entries(completed ?? {}).filter(([field]) => !definition.secrets.includes(field));
  const completedConnectionInfo: Info = { ...sent, ...Object.fromEntries(found) };
  return { isValid: true, completedConnectionInfo };
}
