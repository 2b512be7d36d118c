import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { type AppPasswordRights, appPasswordRights, mostAppPasswordFolders } from './app-passwords.ts';

const text = Type.String();
const rTag = Type.Optional(text);
const rights = Type.Unsafe<AppPasswordRights>({ type: 'string', enum: [...appPasswordRights] });
/** As typed by the user: case, spaces and hyphens do not matter. */
const userCode = Type.String({ maxLength: 40 });

/** The page on which a user confirms the code of a program: the verification URI of RFC 8628, short enough to type. */
export const devicePath = '/device';
/** Endpoints for programs to start and poll (RFC 8628, sections 3.1 and 3.4), and to revoke (RFC 7009). */
export const deviceEndpoints = { authorize: '/device/authorize', token: '/device/token', revoke: '/device/revoke' } as const;
/** The grant type of RFC 8628, section 3.4. */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** `signIn`: the command line for the whole account. `drive`: an app password for a drive. */
export const deviceWishes = ['signIn', 'drive'] as const;
export type DeviceWish = (typeof deviceWishes)[number];

/** A program that waits for its code to be confirmed. */
export const DeviceRequest = Type.Object({
  wish: Type.Unsafe<DeviceWish>({ type: 'string', enum: [...deviceWishes] }),
  userCode: text,
  /** Name of the computer, as reported by the program. */
  name: text,
  /** The program and its operating system, as reported by the program. */
  program: text,
  /** Network address of its request. */
  address: text,
  /** Whether this browser is in the same network. */
  isNear: Type.Boolean(),
  /** Epoch seconds. */
  askedAt: Type.Integer(),
  /** For a drive: its folders; empty: everything. */
  linkUris: Type.Array(text),
  rights,
});
export type DeviceRequest = Static<typeof DeviceRequest>;

/** Device authorization response of RFC 8628, section 3.2, in the form of a call's answer. */
export const DeviceCodes = Type.Object({
  deviceCode: text,
  userCode: text,
  verificationUri: text,
  verificationUriComplete: text,
  /** Seconds. */
  expiresIn: Type.Integer(),
  /** Minimum polling interval in seconds. */
  interval: Type.Integer(),
});
export type DeviceCodes = Static<typeof DeviceCodes>;

export const askForDrive = call({
  method: 'POST',
  path: '/rest/device/drive',
  rTag: 'required',
  input: Type.Object({
    name: Type.String({ maxLength: 1000 }),
    linkUri: Type.Array(text, { default: [], maxItems: mostAppPasswordFolders }),
    rights,
    rTag,
  }),
  reply: DeviceCodes,
  summary: 'Asks for an app password for a drive, which a person has to confirm in the browser.',
});
export const sftpHostKey = call({
  method: 'GET',
  path: '/rest/device/sftp_host_key',
  input: Type.Object({}),
  /** As in a `known_hosts` line after the host: `ssh-ed25519 AAAA...`; absent without SFTP. */
  reply: Type.Object({ hostKey: Type.Optional(text) }),
  summary: 'The public host key of the SFTP server, so that programs need not trust the first one they meet.',
});
const answer = (path: string, summary: string) =>
  call({ method: 'POST', path, rTag: 'required', input: Type.Object({ userCode, rTag }), reply: Type.Object({}), summary });
export const lookAtDevice = call({
  method: 'POST',
  path: '/rest/device/look',
  rTag: 'required',
  input: Type.Object({ userCode, rTag }),
  reply: DeviceRequest,
  summary: 'The program that waits for this code to be confirmed.',
});
export const confirmDevice = answer('/rest/device/confirm', 'Lets the program in that waits for this code. Needs a fresh proof.');
export const refuseDevice = answer('/rest/device/refuse', 'Refuses the program that waits for this code.');
