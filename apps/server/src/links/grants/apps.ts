import type { ProviderApp } from '@sheaf/connectors';
import type { Source } from '@sheaf/contract';

/** The operator's settings for a source; undefined for sources that need no registered application. */
export type AppOf = (source: Source) => ProviderApp | undefined;

/** `settings` by part of their names in lower case: SHEAF_BOX_CLIENT_ID → box. */
export const createAppOf =
  (settings: Readonly<Record<string, ProviderApp>>): AppOf =>
  ({ settings: application, addresses }) => {
    const stem = application ?? addresses;
    return stem === undefined ? undefined : (settings[stem.toLowerCase()] ?? {});
  };

/** Why the source can no longer be linked: its provider has ended the service, and the operator has configured no compatible server. */
export const closedBecause = (source: Source, appOf: AppOf): string | undefined =>
  appOf(source)?.apiUrl === undefined ? source.closed : undefined;
