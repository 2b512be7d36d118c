import { ConnectorError } from '../../core/error.ts';

/** Result of an OAuth 1.0a authorization. */
export interface CopyConfig {
  readonly email: string;
  readonly token: string;
  readonly tokenSecret: string;
}

/** Validates connection info; throws `badConfig` with the missing field. */
export function parseCopyConfig({ email = '', token = '', tokenSecret = '' }: Readonly<Record<string, string>>): CopyConfig {
  for (const [field, value] of Object.entries({ email, token, tokenSecret }))
    if (value === '') throw new ConnectorError('badConfig', `${field} is missing`, { details: { field } });
  return { email, token, tokenSecret };
}
