/** A setting as the operator's page shows it: never with a secret. */
export interface ShownSetting {
  readonly name: string;
  readonly about: string;
  readonly origin: 'environment' | 'file' | 'preset';
  /** Absent when it is secret or empty. Addresses that may have a password are reduced to scheme, host and path. */
  readonly value?: string;
  readonly isSecret: boolean;
  /** Whether it has any value. */
  readonly isSet: boolean;
}

interface Row {
  readonly name: string;
  readonly preset: string;
  readonly about: string;
}

/** `hidden`: never shown; `address`: shown without user, password and query. Everything else is shown as it is. */
const secrecy: Readonly<Record<string, 'hidden' | 'address'>> = {
  SHEAF_SECRET_KEY: 'hidden',
  SHEAF_PREVIOUS_SECRET_KEYS: 'hidden',
  SHEAF_BACKUP_PASSPHRASE: 'hidden',
  SHEAF_METRICS_TOKEN: 'hidden',
  SHEAF_OTLP_HEADERS: 'hidden',
  SHEAF_RECURLY_API_KEY: 'hidden',
  SHEAF_RECURLY_WEBHOOK_KEY: 'hidden',
  SHEAF_DATABASE_URL: 'address',
  SHEAF_SMTP_URL: 'address',
};
/** Names that look like secrets are treated as such, so that a new setting is hidden until somebody decides otherwise. */
const looksSecret = /(SECRET|PASSWORD|PASSPHRASE|TOKEN|PRIVATE_KEY|API_KEY|WEBHOOK_KEY)(S|_KEY|_KEYS)?$/;
/** Names that look like secrets and are none. */
const open = /_TOKEN_URL$/;

const kindOf = (name: string): 'hidden' | 'address' | 'open' =>
  secrecy[name] ?? (looksSecret.test(name) && !open.test(name) ? 'hidden' : name.endsWith('_URL') ? 'address' : 'open');

/** The address without the parts that may be secret. */
function withoutSecrets(text: string): string {
  if (!URL.canParse(text)) return '';
  const { protocol, host, pathname } = new URL(text);
  return protocol === 'mailto:' ? text : `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

/** Settings with their values and where these come from. */
export const shownSettings = (
  rows: readonly Row[],
  environment: Readonly<Record<string, string | undefined>>,
  files: ReadonlySet<string>,
): ShownSetting[] =>
  rows.map(({ name, preset, about }) => {
    const given = environment[name] ?? '';
    const text = given || preset;
    const kind = kindOf(name);
    const value = kind === 'hidden' ? '' : kind === 'address' ? withoutSecrets(text) : text;
    return {
      name,
      about,
      origin: given === '' ? 'preset' : files.has(name) ? 'file' : 'environment',
      ...(value !== '' && { value }),
      isSecret: kind === 'hidden',
      isSet: text !== '',
    };
  });
