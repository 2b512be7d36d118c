import type { SignInProvider } from '@sheaf/contract';
import { type Openid, createOpenid } from './openid.ts';

interface ProviderSettings {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly issuerUrl?: string;
}

/** Returns the providers for which the operator has configured an application; undefined for the others. */
export function createOpenidProviders(
  settings: Readonly<Record<string, ProviderSettings>>,
  redirectUri: (provider: SignInProvider) => string,
): (provider: SignInProvider) => Openid | undefined {
  const open = (provider: SignInProvider): Openid | undefined => {
    const { clientId, clientSecret, issuerUrl } = settings[provider] ?? {};
    if (!clientId || issuerUrl === undefined) return undefined;
    return createOpenid({ provider, issuerUrl, clientId, clientSecret, redirectUri: redirectUri(provider) });
  };
  const providers: Readonly<Record<SignInProvider, Openid | undefined>> = { google: open('google'), microsoft: open('microsoft') };
  return (provider) => providers[provider];
}
