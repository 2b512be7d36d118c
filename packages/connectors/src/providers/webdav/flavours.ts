import { findSource } from '@sheaf/contract';

/** Where a provider's server is; empty for what the user must say. `{username}` in an address stands for the user's name. */
export interface Flavour {
  readonly server: string;
  readonly destinationUrl: string;
}

/** The addresses of a provider, filled in for a user. */
export function flavourOf(provider: string, username: string): Flavour {
  const source = findSource(provider);
  const filled = (address: string | undefined) => address?.replaceAll('{username}', encodeURIComponent(username)) ?? '';
  return { server: filled(source?.serverUrl), destinationUrl: filled(source?.destinationUrl) };
}
