import { type Passkey, type ReplyOf, type SecondFactorKind, type addPasskey, appError, isBlank } from '@sheaf/contract';
import type { Accounts } from '#/identity/account/service.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Throttle } from '#/platform/throttle.ts';
import { type Resealed, sealAnew } from '#/secrets/reseal.ts';
import type { Vault } from '#/secrets/vault.ts';
import type { Passkeys } from './passkeys.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';
import type { PasskeyRow, SecondFactorStore } from './store.ts';
import { keyUri, newSecret, stepOf } from './totp.ts';

/** Limits guesses: of a million codes three are right at a time. */
const codesAtOnce = { tries: 10, seconds: 900 };
const codesPerDay = { tries: 40, seconds: 86_400 };
const recoveryTries = { tries: 20, seconds: 3600 };
const longestName = 100;

interface Deps {
  readonly store: SecondFactorStore;
  readonly passkeys: Passkeys;
  readonly accounts: Accounts;
  readonly vault: Vault;
  readonly throttle: Throttle;
  readonly newId: () => string;
  readonly now: Clock;
}

/** An answer to the second step; one of these. */
export interface FactorAnswer {
  readonly code?: string;
  readonly recoveryCode?: string;
  readonly assertion?: string;
}

export type SecondFactors = ReturnType<typeof createSecondFactors>;

const place = (accountId: string) => ({ table: 'totp', recordId: accountId, field: 'secret' });

/** Second factors: codes of an authenticator app, passkeys, and recovery codes that replace either. */
export function createSecondFactors({ store, passkeys, accounts, vault, throttle, newId, now }: Deps) {
  /** Whether the code is valid now and unused. Throws TOO_MANY_TRIES. */
  async function takeCode(accountId: string, code: string): Promise<boolean> {
    const keys = [`code ${accountId}`, `codes of a day ${accountId}`] as const;
    await throttle.count(keys[0], codesAtOnce);
    await throttle.count(keys[1], codesPerDay);
    const row = await store.findTotp(accountId);
    if (!row || row.confirmedAt === null) return false;
    const step = await stepOf(vault.open(place(accountId), row.sealed), code, now());
    if (step === undefined || !(await store.takeStep(accountId, step))) return false;
    await throttle.clear(keys[0]);
    return true;
  }

  async function takeRecoveryCode(accountId: string, code: string): Promise<boolean> {
    await throttle.count(`recovery code ${accountId}`, recoveryTries);
    return store.takeCode(accountId, hashRecoveryCode(code));
  }

  return {
    /** Second factors of the account; empty when the password is enough. */
    async kinds(accountId: string): Promise<SecondFactorKind[]> {
      const totp = await store.findTotp(accountId);
      const hasTotp = typeof totp?.confirmedAt === 'number';
      const hasPasskey = (await store.passkeys(accountId)).length > 0;
      if (!hasTotp && !hasPasskey) return [];
      // An account whose passkeys do not work at the current public address still needs its second step.
      return [...(hasPasskey && passkeys.isPossible ? (['passkey'] as const) : []), ...(hasTotp ? (['totp'] as const) : []), 'recovery'];
    },

    /** Throws SECOND_FACTOR_WRONG, PASSKEY_REFUSED, MISSING_PARAMETER, TOO_MANY_TRIES. */
    async check(accountId: string, purpose: 'factor' | 'prove', { code, recoveryCode, assertion }: FactorAnswer): Promise<void> {
      if (assertion !== undefined) {
        await passkeys.signed(purpose, accountId, assertion);
        return;
      }
      if (code === undefined && recoveryCode === undefined) throw appError('MISSING_PARAMETER', {});
      const fits = code === undefined ? await takeRecoveryCode(accountId, recoveryCode ?? '') : await takeCode(accountId, code);
      if (!fits) throw appError('SECOND_FACTOR_WRONG', {});
    },

    async describe(accountId: string) {
      const totp = await store.findTotp(accountId);
      return {
        passkeys: (await store.passkeys(accountId)).map(toPasskey),
        ...(totp && totp.confirmedAt !== null && { totpSince: totp.confirmedAt }),
        recoveryCodesLeft: await store.codesLeft(accountId),
        canPasskey: passkeys.isPossible,
      };
    },

    /** Creates a secret that becomes active once one of its codes is confirmed. Throws FACTOR_EXISTS when one is active already. */
    async beginTotp(accountId: string): Promise<{ secret: string; uri: string }> {
      const { email } = await accounts.get(accountId);
      const secret = await newSecret();
      if (!(await store.beginTotp(accountId, vault.seal(place(accountId), secret)))) throw appError('FACTOR_EXISTS', {});
      return { secret, uri: await keyUri(secret, email) };
    },

    /** Throws SECOND_FACTOR_WRONG, TOO_MANY_TRIES. */
    async confirmTotp(accountId: string, code: string): Promise<{ recoveryCodes?: string[] }> {
      await throttle.count(`code ${accountId}`, codesAtOnce);
      const row = await store.findTotp(accountId);
      if (!row || row.confirmedAt !== null) throw appError('SECOND_FACTOR_WRONG', {});
      const step = await stepOf(vault.open(place(accountId), row.sealed), code, now());
      if (step === undefined) throw appError('SECOND_FACTOR_WRONG', {});
      const recoveryCodes = newRecoveryCodes();
      const kept = await store.confirmTotp(row, step, recoveryCodes.map(hashRecoveryCode), now());
      if (kept === undefined) throw appError('SECOND_FACTOR_WRONG', {});
      return kept ? { recoveryCodes } : {};
    },

    /** Returns whether one was active. */
    removeTotp: (accountId: string) => store.removeTotp(accountId, now()),

    /** Removes all second factors, including passkeys that sign in alone; returns their names as the beginning of a sentence. */
    removeAll: (accountId: string): Promise<string[]> => store.removeAll(accountId, now()),

    creationOptions: async (accountId: string) => passkeys.creationOptions(await accounts.get(accountId)),

    /** Throws PASSKEY_REFUSED, MISSING_PARAMETER, INVALID_PARAMETER. */
    async addPasskey(accountId: string, typed: string, attestation: string): Promise<ReplyOf<typeof addPasskey>> {
      const name = readPasskeyName(typed);
      const made = await passkeys.made(accountId, attestation);
      const row = { ...made, id: newId(), accountId, name, createdAt: now(), lastUsedAt: null };
      const recoveryCodes = newRecoveryCodes();
      const kept = await store.addPasskey(row, recoveryCodes.map(hashRecoveryCode));
      if (kept === undefined) throw appError('PASSKEY_REFUSED', {});
      return { passkey: toPasskey(row), ...(kept && { recoveryCodes }) };
    },

    /** Throws MISSING_PARAMETER, INVALID_PARAMETER. */
    renamePasskey: async (accountId: string, passkeyId: string, name: string) =>
      store.renamePasskey(accountId, passkeyId, readPasskeyName(name)),

    /** Returns its name; undefined when it does not exist. Throws LAST_WAY_IN. */
    async removePasskey(accountId: string, passkeyId: string): Promise<string | undefined> {
      const removed = await store.removePasskey(accountId, passkeyId, now(), await accounts.allowsPassword(accountId));
      if (removed === 'lastWayIn') throw appError('LAST_WAY_IN', {});
      return removed?.name;
    },

    /** Throws SECOND_FACTOR_WRONG when the account has no second factor. */
    async renewRecoveryCodes(accountId: string): Promise<{ recoveryCodes: string[] }> {
      const totp = await store.findTotp(accountId);
      if ((totp?.confirmedAt ?? null) === null && (await store.passkeys(accountId)).length === 0) throw appError('SECOND_FACTOR_WRONG', {});
      const recoveryCodes = newRecoveryCodes();
      await store.replaceCodes(accountId, recoveryCodes.map(hashRecoveryCode), now());
      return { recoveryCodes };
    },

    /** Seals again what was sealed with an older key. What no key opens stays unchanged. */
    async reseal(): Promise<Resealed> {
      let [sealed, unreadable] = [0, 0];
      for (const row of await store.totps()) {
        if (vault.isCurrent(row.sealed)) continue;
        const anew = sealAnew(vault, place(row.accountId), row.sealed);
        if (anew === undefined) unreadable++;
        else {
          await store.replaceSealed(row, anew);
          sealed++;
        }
      }
      return { sealed, unreadable };
    },
  };
}

function readPasskeyName(typed: string): string {
  const name = typed.trim();
  if (isBlank(name)) throw appError('MISSING_PARAMETER', {});
  if (name.length > longestName || /\p{Cc}/u.test(name)) throw appError('INVALID_PARAMETER', { field: 'name' });
  return name;
}

const toPasskey = ({ id, name, createdAt, lastUsedAt, signsIn }: PasskeyRow): Passkey => ({
  passkeyId: id,
  name,
  createdAt,
  signsIn: signsIn === 1,
  ...(lastUsedAt !== null && { lastUsedAt }),
});
