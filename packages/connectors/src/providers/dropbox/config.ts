import { ConnectorError } from '../../core/error.ts';

type Info = Readonly<Record<string, string>>;

/** Whose files a link shows. */
export interface DropboxConfig {
  /** Same for the same account: a user's id, or a team's and the member's. */
  readonly account: string;
  readonly email: string;
  /** The namespace that holds the team's folders beside the user's own; absent where the user's own folder is all there is. */
  readonly root?: string;
  /** The member of a team in whose name a team's token asks. */
  readonly member?: string;
}

const required = (info: Info, field: string): string => {
  const value = info[field] ?? '';
  if (value === '') throw new ConnectorError('badConfig', `${field} is missing`, { details: { field } });
  return value;
};

/** Reads what `identify` gave for a user's own link. Throws `badConfig`. */
export const parseUser = (info: Info): DropboxConfig => ({
  account: required(info, 'accountId'),
  email: required(info, 'email'),
  ...(info['root'] && { root: info['root'] }),
});

/** Reads what `identify` gave for a team's link. Throws `badConfig`. */
export const parseTeam = (info: Info): DropboxConfig => ({
  account: `${required(info, 'teamId')} ${required(info, 'memberId')}`,
  email: required(info, 'email'),
  member: required(info, 'memberId'),
  ...(info['root'] && { root: info['root'] }),
});
