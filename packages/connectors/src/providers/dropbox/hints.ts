import { createHmac, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import { isKind } from '../../core/error.ts';
import type { ReadHint } from '../../core/hints/hints.ts';
import { parseJson } from '../../kit/rest/json.ts';

/** https://www.dropbox.com/developers/reference/webhooks: accounts, or teams with their members. */
const Notification = Type.Object({
  list_folder: Type.Optional(
    Type.Object({
      accounts: Type.Optional(Type.Array(Type.String())),
      teams: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    }),
  ),
});
const longestEcho = 1024;

/** Identities of the links that a notification is about. */
export const userIdentity = (account: string): string => `dropbox ${account}`;
export const teamIdentity = (account: string): string => `dropboxteams ${account}`;

/**
 * The operator enters Sheaf's address in the application's settings at Dropbox. Dropbox then sends notifications about all accounts that
 * have authorized Sheaf: links need no subscriptions. It signs the body with the application's secret.
 */
export const readDropboxHint: ReadHint = ({ method, query, headers, body }, { clientSecret }) => {
  if (method === 'GET') {
    const challenge = query.get('challenge');
    return challenge !== null && challenge.length <= longestEcho ? { shape: 'echo', text: challenge } : undefined;
  }
  const signature = headers['x-dropbox-signature'];
  if (method !== 'POST' || clientSecret === undefined || typeof signature !== 'string') return undefined;
  const [expected, given] = [createHmac('sha256', clientSecret).update(body).digest(), Buffer.from(signature, 'hex')];
  if (given.length !== expected.length || !timingSafeEqual(expected, given)) return undefined;
  try {
    const { accounts = [], teams = {} } = parseJson(Notification, Buffer.from(body).toString()).list_folder ?? {};
    const ofTeams = Object.entries(teams).flatMap(([team, members]) => members.map((member) => teamIdentity(`${team} ${member}`)));
    return { shape: 'identities', identities: [...accounts.map(userIdentity), ...ofTeams] };
  } catch (error) {
    if (isKind(error, 'unexpected')) return undefined;
    throw error;
  }
};
