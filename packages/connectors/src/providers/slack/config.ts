import { ConnectorError } from '../../core/error.ts';

/** Whose files: a person in a workspace. */
export interface SlackConfig {
  readonly teamId: string;
  readonly userId: string;
  /** As shown: the person's handle and the workspace's host. */
  readonly account: string;
}

/** Reads what `identify` gave. Throws `badConfig`. */
export function parseSlackConfig(info: Readonly<Record<string, string>>): SlackConfig {
  const field = (name: string): string => {
    const value = info[name] ?? '';
    if (value === '') throw new ConnectorError('badConfig', `no ${name}`, { details: { field: name } });
    return value;
  };
  return { teamId: field('teamId'), userId: field('userId'), account: field('account') };
}
