import type { SignInProvider } from '@sheaf/contract';
import type { OidcSettings } from '#/platform/config/oidc-settings.ts';
import { type Openid, createOpenid } from './openid.ts';

interface ProviderSettings {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly issuerUrl?: string;
}

/** A sign-in provider that the operator has set up. */
export interface OpenidProvider extends Openid {
  readonly title: string;
  /** Whether everybody who signs in with it gets an account. */
  readonly welcomesAll: boolean;
  /** Whether the sign-in page redirects to it at once. */
  readonly isDirect: boolean;
  /** Whether it is the operator's own, so that its claims about people are followed. */
  readonly isOwn: boolean;
}
export type OpenidProviders = ReadonlyMap<SignInProvider, OpenidProvider>;

const large = [
  ['google', 'Google'],
  ['microsoft', 'Microsoft'],
] as const;

/** Display names of sign-in providers, including those that are no longer set up. */
export const titleOf =
  (oidc: Readonly<Record<string, OidcSettings>>) =>
  (provider: string): string =>
    oidc[provider]?.label ?? large.find(([id]) => id === provider)?.[1] ?? provider;

/**
 * Whether an identity still opens its account, because the settings have its provider. One's own providers are known by their issuer, which decides a
 * sign-in whatever the provider is called today; Google and Microsoft by their name, because Microsoft names an issuer for each tenant.
 */
export function opensWith(settings: Readonly<Record<string, ProviderSettings>>, oidc: Readonly<Record<string, OidcSettings>>) {
  const withoutSlash = (address: string): string => address.replace(/\/$/, '');
  const issuers = new Set(Object.values(oidc).map(({ issuerUrl }) => withoutSlash(issuerUrl)));
  return ({ issuer, provider }: { readonly issuer: string; readonly provider: string }): boolean =>
    issuers.has(withoutSlash(issuer)) || large.some(([id]) => id === provider && Boolean(settings[id]?.clientId));
}

/** The providers for which the operator has configured an application, in the order of their buttons. */
export function createOpenidProviders(
  settings: Readonly<Record<string, ProviderSettings>>,
  oidc: Readonly<Record<string, OidcSettings>>,
  redirectUri: (provider: SignInProvider) => string,
): OpenidProviders {
  const providers = new Map<SignInProvider, OpenidProvider>();
  for (const [id, { issuerUrl, clientId, clientSecret, label, signup, trustEmail, signOut, direct, scopes, ...rules }] of Object.entries(
    oidc,
  )) {
    const openid = createOpenid({
      provider: id,
      issuerUrl,
      clientId,
      clientSecret: clientSecret || undefined,
      redirectUri: redirectUri(id),
      trustsEmail: trustEmail === 'yes',
      signsOutThere: signOut === 'both',
      scopes,
      rules: { ...rules, picture: rules.picture === 'none' ? '' : rules.picture },
    });
    providers.set(id, { ...openid, title: label, welcomesAll: signup === 'allow', isDirect: direct === 'yes', isOwn: true });
  }
  for (const [id, title] of large) {
    const { clientId, clientSecret, issuerUrl } = settings[id] ?? {};
    if (!clientId || issuerUrl === undefined) continue;
    // Many people have several accounts there.
    const openid = createOpenid({
      provider: id,
      issuerUrl,
      clientId,
      clientSecret,
      redirectUri: redirectUri(id),
      prompt: 'select_account',
    });
    providers.set(id, { ...openid, title, welcomesAll: false, isDirect: false, isOwn: false });
  }
  return providers;
}
