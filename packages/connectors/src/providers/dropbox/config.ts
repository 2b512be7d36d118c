import { ConnectorError } from '../../core/error.ts';

type Info = Readonly<Record<string, string>>;

/** The user whose files a link shows. */
export interface DropboxConfig {
  /** Stable id of the account: a user's id, or a team's id with the member's. */
  readonly account: string;
  readonly email: string;
  /** The namespace with the team's folders and the user's own; absent when there are no team folders. */
  readonly root?: string;
  /** The team member on whose behalf a team token acts. */
  readonly member?: string;
}

const required = (info: Info, field: string): string => {
  const value = info[field] ?? '';
  if (value === '') throw new ConnectorError('badConfig', `${field} is missing`, { details: { field } });
  return value;
};

/** Parses the result of `identify` for a user's link. Throws `badConfig`. */
export const parseUser = (info: Info): DropboxConfig => ({
  account: required(info, 'accountId'),
  email: required(info, 'email'),
  ...(info['root'] && { root: info['root'] }),
});

/** Parses the result of `identify` for a team's link. Throws `badConfig`. */
export const parseTeam = (info: Info): DropboxConfig => ({
  account: `${required(info, 'teamId')} ${required(info, 'memberId')}`,
  email: required(info, 'email'),
  member: required(info, 'memberId'),
  ...(info['root'] && { root: info['root'] }),
});
