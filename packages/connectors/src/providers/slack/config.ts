import { ConnectorError } from '../../core/error.ts';

/** The account of a link: a user in a workspace. */
export interface SlackConfig {
  readonly teamId: string;
  readonly userId: string;
  /** For display: the user's handle and the workspace's host. */
  readonly account: string;
}

/** Parses the result of `identify`. Throws `badConfig`. */
export function parseSlackConfig(info: Readonly<Record<string, string>>): SlackConfig {
  const field = (name: string): string => {
    const value = info[name] ?? '';
    if (value === '') throw new ConnectorError('badConfig', `no ${name}`, { details: { field: name } });
    return value;
  };
  return { teamId: field('teamId'), userId: field('userId'), account: field('account') };
}
