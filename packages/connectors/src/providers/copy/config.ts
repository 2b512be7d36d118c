import { ConnectorError } from '../../core/error.ts';

/** What an OAuth 1.0a authorization has given. */
export interface CopyConfig {
  readonly email: string;
  readonly token: string;
  readonly tokenSecret: string;
}

/** Checks connection info; throws `badConfig` with the field that is missing. */
export function parseCopyConfig({ email = '', token = '', tokenSecret = '' }: Readonly<Record<string, string>>): CopyConfig {
  for (const [field, value] of Object.entries({ email, token, tokenSecret }))
    if (value === '') throw new ConnectorError('badConfig', `${field} is missing`, { details: { field } });
  return { email, token, tokenSecret };
}
