import { timingSafeEqual } from 'node:crypto';
import {
  AppError,
  type AppPassword,
  type AppPasswordRights,
  type InputOf,
  type ReplyOf,
  type addSshKey,
  appError,
  type createAppPassword,
  isBlank,
  parseLinkUri,
} from '@sheaf/contract';
import type { Accounts } from '#/identity/account/service.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Throttle } from '#/platform/throttle.ts';
import { hashToken } from '#/platform/tokens.ts';
import { type Resealed, sealAnew } from '#/secrets/reseal.ts';
import type { SecretPlace, Vault } from '#/secrets/vault.ts';
import { createEnds } from './ends.ts';
import { createFailures } from './failures.ts';
import { fingerprintOf, readPublicKey } from './public-keys.ts';
import { newAccessKeyId, newSecrets, newUsername } from './secrets.ts';
import type { AppPasswordRow, AppPasswordStore } from './store.ts';

/** Seconds between two writes of the last use. */
const noteEvery = 300;
/** Milliseconds for which a password is cached. Revocations on other instances arrive at once, unless the notification channel is broken. */
const rememberedFor = 5000;
const mostRemembered = 10_000;
const longestName = 100;
const mostPerAccount = 200;
const pageSize = 100;

interface Deps {
  readonly store: AppPasswordStore;
  readonly accounts: Pick<Accounts, 'get'>;
  readonly vault: Vault;
  readonly throttle: Throttle;
  readonly newId: () => string;
  readonly now: Clock;
}

/** A program that has signed in. */
export interface Program {
  readonly appPasswordId: string;
  readonly accountId: string;
  /** The folders it is limited to; none: everything. */
  readonly folders: readonly string[];
  readonly rights: AppPasswordRights;
  /** Aborts when the password is revoked, and when it expires. */
  readonly ended: AbortSignal;
}

/** How a program reached us. */
export interface ProgramDevice {
  readonly address: string;
  /** The program and the protocol, for the list of app passwords. */
  readonly usedBy: string;
}

interface Remembered {
  readonly program: Program;
  /** What was sent, hashed; for S3 the secret key that signatures are checked with. */
  readonly proof: string;
  readonly until: number;
}

export type AppPasswords = ReturnType<typeof createAppPasswords>;

type IsLinkOf = (accountId: string, userLinkId: string) => Promise<boolean>;

/** Throws INVALID_LINK_URI for a folder in no link of the account. */
async function checkFolders(accountId: string, folders: readonly string[], isLinkOf: IsLinkOf): Promise<void> {
  for (const linkUri of folders) {
    const address = parseLinkUri(linkUri);
    if (!address || !(await isLinkOf(accountId, address.userLinkId))) throw appError('INVALID_LINK_URI', {});
  }
}

const place = (id: string): SecretPlace => ({ table: 'app_password', recordId: id, field: 'sealedKey' });
const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** App passwords and SSH keys: made, listed and revoked by the account, and checked for programs that use WebDAV, S3 or SFTP. */
export function createAppPasswords({ store, accounts, vault, throttle, newId, now }: Deps) {
  const remembered = new Map<string, Remembered>();
  const ends = createEnds(now);
  const { failureOf } = createFailures(throttle, now);
  /** Counts invalidations: the result of a lookup that began before one is not cached. */
  let forgettings = 0;

  const forget = (gone: (program: Program) => boolean): void => {
    forgettings++;
    for (const [key, { program }] of remembered) if (gone(program)) remembered.delete(key);
  };
  const programOf = ({ id, accountId, folders, rights, expiresAt }: AppPasswordRow): Program => ({
    appPasswordId: id,
    accountId,
    folders: JSON.parse(folders) as string[],
    rights,
    ended: ends.signalOf(id, accountId, expiresAt),
  });

  function remember(key: string, one: Omit<Remembered, 'until'>, before: number): void {
    if (before !== forgettings) return;
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(key, { ...one, until: performance.now() + rememberedFor });
  }
  const known = (key: string): Remembered | undefined => {
    const one = remembered.get(key);
    return one && one.until > performance.now() && !one.program.ended.aborted ? one : undefined;
  };

  async function noteUse({ id, lastUsedAt }: AppPasswordRow, usedBy: string): Promise<void> {
    if (now() - (lastUsedAt ?? 0) >= noteEvery) await store.touch(id, now(), usedBy.slice(0, 100));
  }

  /** Stores a new row and returns its secrets, of which only a hash and a sealed key are kept. */
  async function insert(
    accountId: string,
    { name: typed, linkUri: folders, rights, expires }: InputOf<typeof createAppPassword>,
    publicKey: string | null,
    isLinkOf: IsLinkOf,
  ) {
    const name = typed.trim();
    if (isBlank(name)) throw appError('MISSING_PARAMETER', {});
    if (name.length > longestName || /\p{Cc}/u.test(name)) throw appError('INVALID_PARAMETER', { field: 'name' });
    if (expires !== undefined && expires <= now()) throw appError('INVALID_PARAMETER', { field: 'expires' });
    await checkFolders(accountId, folders, isLinkOf);
    if ((await store.count(accountId)) >= mostPerAccount) throw appError('TOO_MANY_APP_PASSWORDS', { count: String(mostPerAccount) });
    const { name: accountName } = await accounts.get(accountId);
    const { password, secretAccessKey } = newSecrets();
    for (;;) {
      const id = newId();
      const row: AppPasswordRow = {
        id,
        accountId,
        name,
        username: newUsername(accountName),
        passwordHash: hashToken(password),
        accessKeyId: newAccessKeyId(),
        sealedKey: vault.seal(place(id), secretAccessKey),
        folders: JSON.stringify([...new Set(folders)]),
        rights,
        createdAt: now(),
        expiresAt: expires ?? null,
        lastUsedAt: null,
        lastUsedBy: null,
        publicKey,
      };
      if (await store.insert(row)) return { row, password, secretAccessKey };
    }
  }

  return {
    checkFolders,

    list: async (accountId: string): Promise<AppPassword[]> => (await store.list(accountId)).map(toAppPassword),

    /**
     * Makes a password; of its secrets only a hash and a sealed key are stored. `isLinkOf` says whether the account may use a link. Throws
     * MISSING_PARAMETER, INVALID_PARAMETER, INVALID_LINK_URI, TOO_MANY_APP_PASSWORDS.
     */
    async create(
      accountId: string,
      input: InputOf<typeof createAppPassword>,
      isLinkOf: IsLinkOf,
    ): Promise<ReplyOf<typeof createAppPassword>> {
      const { row, password, secretAccessKey } = await insert(accountId, input, null, isLinkOf);
      const { username, accessKeyId } = row;
      return { appPassword: toAppPassword(row), username, password, accessKeyId, secretAccessKey };
    },

    /**
     * Adds a public key that signs in to SFTP. The user name decides whose it is, so that the same key may be added by several accounts, and with other
     * rights again. Throws as `create` and `readPublicKey` do.
     */
    async addKey(accountId: string, { publicKey, ...input }: InputOf<typeof addSshKey>, isLinkOf: IsLinkOf): Promise<AppPassword> {
      const { line } = readPublicKey(publicKey);
      return toAppPassword((await insert(accountId, input, line, isLinkOf)).row);
    },

    /** Revokes the password and ends what is under way with it. */
    async revoke(accountId: string, appPasswordId: string): Promise<void> {
      await store.remove(accountId, appPasswordId, now());
      forget((program) => program.accountId === accountId && program.appPasswordId === appPasswordId);
      if (ends.ids(accountId).includes(appPasswordId)) ends.end(appPasswordId);
    },

    /** Revokes all passwords of the account. */
    async revokeAll(accountId: string): Promise<void> {
      await store.removeAll(accountId);
      forget((program) => program.accountId === accountId);
      for (const id of ends.ids(accountId)) ends.end(id);
    },

    /** Looks the account's passwords up again, or all: they may have been revoked on another instance. */
    async recheck(accountId?: string): Promise<void> {
      forget((program) => accountId === undefined || program.accountId === accountId);
      const followed = ends.ids(accountId);
      for (let at = 0; at < followed.length; at += pageSize) {
        const ids = followed.slice(at, at + pageSize);
        const usable = new Set(await store.usable(ids, now()));
        for (const id of ids) if (!usable.has(id)) ends.end(id);
      }
    },

    /** The program with that user name and password. Throws INVALID_CREDENTIALS, TOO_MANY_TRIES. */
    async signIn(username: string, password: string, { address, usedBy }: ProgramDevice): Promise<Program> {
      const sent = hashToken(password);
      const one = known(`name ${username}`);
      if (one && isSame(one.proof, sent)) return one.program;
      const before = forgettings;
      const row = await store.findByUsername(username, now());
      if (!row || !isSame(row.passwordHash, sent)) throw await failureOf(username, address);
      const program = programOf(row);
      remember(`name ${username}`, { program, proof: row.passwordHash }, before);
      await noteUse(row, usedBy);
      return program;
    },

    /**
     * The program with that user name and public key, whose signature the caller has checked. Throws INVALID_CREDENTIALS. Counts no failure, as programs
     * offer one key after the other: the caller reports with `countFailure` that none of them was right.
     */
    async signInWithKey(username: string, publicKey: string, { usedBy }: Pick<ProgramDevice, 'usedBy'>): Promise<Program> {
      const row = await store.findByUsername(username, now());
      if (row?.publicKey !== publicKey) throw appError('INVALID_CREDENTIALS', {});
      const program = programOf(row);
      await noteUse(row, usedBy);
      return program;
    },

    /** Counts a connection that offered only wrong keys. */
    async countFailure(username: string, address: string): Promise<void> {
      await failureOf(username, address).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
      });
    },

    /**
     * The program with that access key, if `isSigned` accepts its secret key. Throws INVALID_CREDENTIALS for an unknown key and for a wrong signature
     * alike, and TOO_MANY_TRIES.
     */
    async signedBy(accessKeyId: string, isSigned: (secretAccessKey: string) => boolean, { address, usedBy }: ProgramDevice) {
      const one = known(`key ${accessKeyId}`);
      if (one && isSigned(one.proof)) return { program: one.program, secretAccessKey: one.proof };
      const before = forgettings;
      const row = await store.findByKey(accessKeyId, now());
      const secretAccessKey = row && vault.open(place(row.id), row.sealedKey);
      if (!row || secretAccessKey === undefined || !isSigned(secretAccessKey)) throw await failureOf(accessKeyId, address);
      const program = programOf(row);
      remember(`key ${accessKeyId}`, { program, proof: secretAccessKey }, before);
      await noteUse(row, usedBy);
      return { program, secretAccessKey };
    },

    /** Seals all keys with the vault's newest key; may run while programs sign in. */
    async reseal(): Promise<Resealed> {
      let [sealed, unreadable] = [0, 0];
      for (let last = ''; ;) {
        const page = await store.sealedAfter(last, pageSize);
        for (const { id, sealedKey } of page) {
          last = id;
          if (vault.isCurrent(sealedKey)) continue;
          const anew = sealAnew(vault, place(id), sealedKey);
          if (anew === undefined) unreadable++;
          else {
            await store.replaceSealed(id, anew);
            sealed++;
          }
        }
        if (page.length < pageSize) return { sealed, unreadable };
      }
    },
  };
}

const toAppPassword = ({ id, name, username, accessKeyId, folders, rights, createdAt, ...row }: AppPasswordRow): AppPassword => ({
  appPasswordId: id,
  name,
  username,
  ...(row.publicKey === null
    ? { accessKeyId }
    : { sshKey: { kind: row.publicKey.split(' ')[0] ?? '', fingerprint: fingerprintOf(row.publicKey) } }),
  linkUris: JSON.parse(folders) as string[],
  rights,
  createdAt,
  ...(row.expiresAt !== null && { expires: row.expiresAt }),
  ...(row.lastUsedAt !== null && { lastUsedAt: row.lastUsedAt }),
  ...(row.lastUsedBy !== null && { lastUsedBy: row.lastUsedBy }),
});
