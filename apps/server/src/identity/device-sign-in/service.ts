import { type AppPasswordRights, type DeviceCodes, type DeviceRequest, appError, devicePath, isBlank } from '@sheaf/contract';
import type { AppPasswords } from '#/identity/app-passwords/service.ts';
import type { AuthCodes } from '#/identity/auth-codes/service.ts';
import type { Device } from '#/identity/sessions/sessions.ts';
import type { Clock } from '#/platform/clock.ts';
import { networkOf } from '#/platform/http/network.ts';
import type { Allowance, Throttle } from '#/platform/throttle.ts';
import { hashToken, newToken } from '#/platform/tokens.ts';
import type { DeviceRow, DeviceStore } from './store.ts';
import type { UserCodes } from './user-codes.ts';

/** Seconds for which a code can be confirmed and its result be fetched. */
const lasts = 600;
/** Least seconds between two polls of a program, and by how much the pause grows for one that polls too often: RFC 8628, section 3.5. */
const firstInterval = 5;
const slower = 5;
/** Seconds by which a poll may be early, because the clock counts whole seconds. */
const tolerance = 1;
/** Seconds for which polls are answered with "expired" before the code is unknown. */
const toldAfterwards = 3600;
const longestName = 100;

/** Programs that begin, by network or account; and codes that are typed. With 34 bits a code cannot be guessed at this rate: RFC 8628, section 5.1. */
const beginnings: Allowance = { tries: 30, seconds: 3600 };
const typedByAccount: Allowance = { tries: 30, seconds: 900 };
const typedByNetwork: Allowance = { tries: 100, seconds: 900 };

type IsLinkOf = (accountId: string, userLinkId: string) => Promise<boolean>;

interface Deps {
  readonly store: DeviceStore;
  readonly userCodes: UserCodes;
  readonly authCodes: Pick<AuthCodes, 'admit'>;
  readonly appPasswords: Pick<AppPasswords, 'create' | 'checkFolders'>;
  readonly throttle: Pick<Throttle, 'count'>;
  readonly publicUrl: string;
  readonly now: Clock;
}

/** The answer to a program that polls. */
export type Polled =
  | { readonly state: 'pending' | 'tooOften' | 'refused' | 'expired' | 'unknown' }
  | { readonly state: 'signedIn'; readonly accountId: string; readonly name: string; readonly token: string; readonly login: Login }
  | { readonly state: 'drive'; readonly accountId: string; readonly name: string; readonly username: string; readonly password: string };
interface Login {
  readonly loginName: string;
  readonly loginAccount: string;
}

export type DeviceSignIn = ReturnType<typeof createDeviceSignIn>;

/**
 * Sign-in of programs without a browser: they show a code that a person confirms in one (RFC 8628). The result is made when the program fetches it: an
 * authentication code with a token, or an app password. Both are listed and revoked like all others.
 */
export function createDeviceSignIn({ store, userCodes, authCodes, appPasswords, throttle, publicUrl, now }: Deps) {
  async function begin(
    wish: Pick<DeviceRow, 'wish' | 'accountId' | 'rights'> & { readonly folders: readonly string[] },
    typedName: string,
    { userAgent, address }: Device,
  ): Promise<DeviceCodes> {
    const deviceCode = newToken();
    const time = now();
    for (;;) {
      const userCode = userCodes.make();
      const isMade = await store.insert({
        ...wish,
        folders: JSON.stringify([...new Set(wish.folders)]),
        deviceHash: hashToken(deviceCode),
        userHash: userCodes.hash(userCode),
        name: plainName(typedName),
        userAgent: userAgent.slice(0, 300),
        address,
        state: 'pending',
        pollInterval: firstInterval,
        polledAt: null,
        createdAt: time,
        expiresAt: time + lasts,
      });
      const verificationUri = publicUrl + devicePath;
      const verificationUriComplete = `${verificationUri}?user_code=${userCode}`;
      if (isMade) return { deviceCode, userCode, verificationUri, verificationUriComplete, expiresIn: lasts, interval: firstInterval };
    }
  }

  /** Counts a typed code, and reads it. Throws TOO_MANY_TRIES, DEVICE_CODE_UNKNOWN. */
  async function typed(userCode: string, accountId: string, { address }: Device): Promise<string> {
    await throttle.count(`device codes of ${accountId}`, typedByAccount);
    await throttle.count(`device codes from ${networkOf(address)}`, typedByNetwork);
    const code = userCodes.read(userCode);
    if (code === undefined) throw appError('DEVICE_CODE_UNKNOWN', {});
    return code;
  }

  return {
    /** Begins the sign-in of a program. Throws TOO_MANY_TRIES. */
    async askToSignIn(name: string, device: Device): Promise<DeviceCodes> {
      await throttle.count(`device sign-ins from ${networkOf(device.address)}`, beginnings);
      return begin({ wish: 'signIn', accountId: null, rights: 'write', folders: [] }, name, device);
    },
    /** Begins a request for an app password by a program of the account. Throws TOO_MANY_TRIES, INVALID_LINK_URI. */
    async askForDrive(
      accountId: string,
      { name, folders, rights }: { readonly name: string; readonly folders: readonly string[]; readonly rights: AppPasswordRights },
      device: Device,
      isLinkOf: IsLinkOf,
    ): Promise<DeviceCodes> {
      await throttle.count(`device drives of ${accountId}`, beginnings);
      await appPasswords.checkFolders(accountId, folders, isLinkOf);
      return begin({ wish: 'drive', accountId, rights, folders }, name, device);
    },

    /** The program that shows this code. Throws DEVICE_CODE_UNKNOWN, TOO_MANY_TRIES. */
    async look(accountId: string, userCode: string, device: Device): Promise<DeviceRequest> {
      const code = await typed(userCode, accountId, device);
      const row = await store.findPending(userCodes.hash(code), accountId, now());
      if (!row) throw appError('DEVICE_CODE_UNKNOWN', {});
      const { wish, name, userAgent, address, createdAt, folders, rights } = row;
      return {
        wish,
        userCode: code,
        name,
        program: plainName(userAgent),
        address,
        isNear: networkOf(address) === networkOf(device.address),
        askedAt: createdAt,
        linkUris: JSON.parse(folders) as string[],
        rights,
      };
    },
    /** Throws DEVICE_CODE_UNKNOWN, TOO_MANY_TRIES. */
    async confirm(accountId: string, userCode: string, device: Device): Promise<void> {
      const code = await typed(userCode, accountId, device);
      if (!(await store.confirm(userCodes.hash(code), accountId, now()))) throw appError('DEVICE_CODE_UNKNOWN', {});
    },
    /** Throws DEVICE_CODE_UNKNOWN, TOO_MANY_TRIES. */
    async refuse(accountId: string, userCode: string, device: Device): Promise<void> {
      const code = await typed(userCode, accountId, device);
      if (!(await store.refuse(userCodes.hash(code), accountId, now()))) throw appError('DEVICE_CODE_UNKNOWN', {});
    },

    /** Answers a program that polls with its code. The result is returned once. Throws INVALID_LINK_URI, TOO_MANY_APP_PASSWORDS. */
    async poll(deviceCode: string, device: Device, isLinkOf: IsLinkOf): Promise<Polled> {
      const deviceHash = hashToken(deviceCode);
      const [row, time] = [await store.find(deviceHash), now()];
      if (!row) return { state: 'unknown' };
      if (row.expiresAt <= time) return { state: 'expired' };
      if (row.state === 'refused') return { state: 'refused' };
      if (row.state === 'pending') {
        const isEarly = row.polledAt !== null && time - Number(row.polledAt) < row.pollInterval - tolerance;
        await store.notePoll(deviceHash, time, isEarly ? row.pollInterval + slower : row.pollInterval);
        return { state: isEarly ? 'tooOften' : 'pending' };
      }
      const taken = await store.take(deviceHash, time);
      if (!taken || taken.accountId === null) return { state: 'unknown' };
      const { accountId, name, rights, folders } = taken;
      if (taken.wish === 'signIn') {
        const { token, ...login } = await authCodes.admit(accountId, name, device);
        return { state: 'signedIn', accountId, name, token, login };
      }
      const wanted = { name: `Drive on ${name}`.slice(0, longestName), linkUri: JSON.parse(folders) as string[], rights };
      const { username, password } = await appPasswords.create(accountId, wanted, isLinkOf);
      return { state: 'drive', accountId, name: wanted.name, username, password };
    },

    /** Removes the account's requests, including confirmed ones whose result was not fetched. */
    revokeAll: (accountId: string): Promise<void> => store.removeAll(accountId),
    sweep: (): Promise<void> => store.removeExpired(now() - toldAfterwards),
  };
}

/** The name without characters that could disguise it, such as controls and marks of direction. */
function plainName(given: string): string {
  const plain = given
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return isBlank(plain) ? 'A computer without a name' : [...plain].slice(0, longestName).join('').trim();
}
