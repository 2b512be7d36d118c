import { type Reading, BadValue, address, oneOf, plain } from './config-values.ts';

/** An OpenID Connect provider of the operator's own, from `SHEAF_OIDC_<NAME>_…`. */
export interface OidcSettings {
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The word on its button. */
  readonly label: string;
  /** `allow`: everybody who signs in with it gets an account; `rules`: as SHEAF_SIGNUP says. */
  readonly signup: 'rules' | 'allow';
  /** `yes`: its addresses count as verified even if it does not say so. */
  readonly trustEmail: 'yes' | 'no';
  /** `both`: signing out of Sheaf signs out of the provider too, where it offers that. */
  readonly signOut: 'both' | 'here';
  /** `yes`: the sign-in page redirects to it at once. */
  readonly direct: 'yes' | 'no';
  /** The claim and its value that make people operators; empty: none. */
  readonly operators: string;
  /** Scopes besides `openid email profile`, separated by blanks. */
  readonly scopes: string;
  /** Which claims give roles in organisations. */
  readonly organisations: readonly OrganisationClaim[];
  /** The claim with a person's limits; empty: none. */
  readonly limits: string;
  /** The claim with a person's name. */
  readonly name: string;
  /** The claim with the address of a person's picture; empty: none. */
  readonly picture: string;
}

/** A claim and its value that make people members of an organisation. */
export interface OrganisationClaim {
  readonly claim: string;
  readonly value: string;
  readonly orgId: string;
  readonly role: 'member' | 'admin';
}

/** A claim, by its path, and a value: `groups=admins` or `realm_access.roles=sheaf-admin`. */
const claimValue: Reading<string> = (text) => {
  if (text !== '' && !/^[^=\s]+=[^=]+$/.test(text)) throw new BadValue('must be a claim and its value, such as groups=sheaf-admins');
  return text;
};

/** The name of a claim, or its path, as in `realm_access.roles`. */
const claimName: Reading<string> = (text) => {
  if (/[\s=,]/.test(text)) throw new BadValue('must be the name of a claim, such as groups or realm_access.roles');
  return text;
};

/** `groups=engineers:<id>, groups=leads:<id>:admin`. The id is an organisation's, which anybody can name as they like. */
const organisationClaims: Reading<readonly OrganisationClaim[]> = (text) =>
  text
    .split(',')
    .map((rule) => rule.trim())
    .filter((rule) => rule !== '')
    .map((rule) => {
      const { claim, value, orgId, role } =
        /^(?<claim>[^=\s]+)=(?<value>.+?):(?<orgId>[0-9A-Za-z]{20})(?::(?<role>member|admin))?$/.exec(rule)?.groups ?? {};
      if (claim === undefined || value === undefined || orgId === undefined)
        throw new BadValue('must be a list such as groups=engineers:<id of the organisation>, groups=leads:<id>:admin');
      return { claim, value, orgId, role: role === 'admin' ? 'admin' : 'member' };
    });

const scopeList: Reading<string> = (text) => {
  if (!/^[!#-[\]-~ ]*$/.test(text)) throw new BadValue('must be names of scopes, separated by blanks');
  return text.trim();
};

const fields = {
  ISSUER_URL: {
    field: 'issuerUrl',
    preset: '',
    read: address('http:', 'https:'),
    about: 'The address of the provider, as its discovery document names it.',
  },
  CLIENT_ID: { field: 'clientId', preset: '', read: plain, about: 'The id of the application registered there.' },
  CLIENT_SECRET: { field: 'clientSecret', preset: '', read: plain, about: 'Its secret; empty: a public client.' },
  LABEL: { field: 'label', preset: '', read: plain, about: 'The word on the button; empty: the name.' },
  SIGNUP: {
    field: 'signup',
    preset: 'rules',
    read: oneOf('rules', 'allow'),
    about: 'allow: everybody whom it signs in gets an account; rules: as SHEAF_SIGNUP says.',
  },
  TRUST_EMAIL: {
    field: 'trustEmail',
    preset: 'no',
    read: oneOf('yes', 'no'),
    about: 'yes: its addresses count as verified, though it does not say so.',
  },
  SIGN_OUT: {
    field: 'signOut',
    preset: 'both',
    read: oneOf('both', 'here'),
    about: 'both: signing out of Sheaf signs out of the provider too, where it offers that; here: of Sheaf alone.',
  },
  DIRECT: {
    field: 'direct',
    preset: 'no',
    read: oneOf('yes', 'no'),
    about: 'yes: signing in goes straight to this provider; /login/start?provider=email shows the other ways.',
  },
  OPERATORS: {
    field: 'operators',
    preset: '',
    read: claimValue,
    about:
      'A claim of the ID token and its value, such as groups=sheaf-admins, that makes people operators as long as they have it; empty: it makes none.',
  },
  ORGANISATIONS: {
    field: 'organisations',
    preset: '',
    read: organisationClaims,
    about:
      'Claims that make people members of organisations as long as they have them: a list of claim=value:organisation or claim=value:organisation:admin, with the id that the address of the organisation shows; empty: none.',
  },
  LIMITS: {
    field: 'limits',
    preset: '',
    read: claimName,
    about: 'The claim with a person\'s limits, an object such as {"links": 20, "shares": 5}; empty: none.',
  },
  NAME: { field: 'name', preset: 'name', read: claimName, about: "The claim with a person's name." },
  PICTURE: {
    field: 'picture',
    preset: 'picture',
    read: claimName,
    about: "The claim with the address of a person's picture; the word none: pictures are not taken over.",
  },
  SCOPES: {
    field: 'scopes',
    preset: '',
    read: scopeList,
    about: 'Scopes that are asked besides openid, email and profile, separated by blanks.',
  },
} as const satisfies Record<
  string,
  { field: keyof OidcSettings; preset: string; read: Reading<OidcSettings[keyof OidcSettings]>; about: string }
>;

/** The rows of the help. */
export const oidcRows = Object.entries(fields).map(([suffix, { about, preset }]) => ({
  name: `SHEAF_OIDC_<NAME>_${suffix}`,
  preset,
  about,
}));

const pattern = new RegExp(`^SHEAF_OIDC_([A-Z0-9]+)_(${Object.keys(fields).join('|')})$`);
export const isOidcSetting = (name: string): boolean => pattern.test(name);

/** The explanation of a provider's setting. */
export const aboutOidc = (name: string): string => Object.entries(fields).find(([suffix]) => name.endsWith(`_${suffix}`))?.[1].about ?? '';

/** Names that have another meaning in addresses. */
const taken = new Set(['google', 'microsoft', 'email', 'passkey']);

/** Reads all providers, keyed by their name in lower case; `complain` gets a line for each invalid setting. */
export function readOidc(
  environment: Readonly<Record<string, string | undefined>>,
  complain: (problem: string) => void,
): Record<string, OidcSettings> {
  const names = new Set(
    Object.entries(environment).flatMap(([name, text = '']) => (text === '' ? [] : [pattern.exec(name)?.[1] ?? []].flat())),
  );
  const providers: Record<string, OidcSettings> = {};
  for (const name of names) {
    const prefix = `SHEAF_OIDC_${name}`;
    const values = Object.fromEntries(
      Object.entries(fields).map(([suffix, { field, preset, read }]) => {
        try {
          return [field, read(environment[`${prefix}_${suffix}`] || preset)];
        } catch (error) {
          if (!(error instanceof BadValue)) throw error;
          complain(`${prefix}_${suffix} ${error.message}`);
          return [field, preset];
        }
      }),
    ) as unknown as OidcSettings;
    const id = name.toLowerCase();
    if (taken.has(id)) complain(`${prefix}_… needs another name: ${id} is taken`);
    if (name.length > 32) complain(`${prefix}_… needs a name of at most 32 letters`);
    for (const [field, suffix] of [
      ['issuerUrl', 'ISSUER_URL'],
      ['clientId', 'CLIENT_ID'],
    ] as const)
      if (values[field] === '') complain(`${prefix}_${suffix} must be set`);
    if (values.direct === 'yes' && Object.values(providers).some(({ direct }) => direct === 'yes'))
      complain(`${prefix}_DIRECT cannot be yes: signing in goes straight to another provider already`);
    providers[id] = { ...values, label: values.label || name.charAt(0) + id.slice(1) };
  }
  return providers;
}
