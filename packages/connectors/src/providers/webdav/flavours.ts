import { findSource } from '@sheaf/contract';

/** A provider's server; empty where the user must enter it. `{username}` in a URL is replaced with the user name. */
export interface Flavour {
  readonly server: string;
  readonly destinationUrl: string;
}

/** Returns a provider's URLs for a user. */
export function flavourOf(provider: string, username: string): Flavour {
  const source = findSource(provider);
  const filled = (address: string | undefined) => address?.replaceAll('{username}', encodeURIComponent(username)) ?? '';
  return { server: filled(source?.serverUrl), destinationUrl: filled(source?.destinationUrl) };
}
