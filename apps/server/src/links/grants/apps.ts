import type { ProviderApp } from '@sheaf/connectors';
import type { Source } from '@sheaf/contract';

/** What the operator has set for a source; undefined for sources that no application has to be registered for. */
export type AppOf = (source: Source) => ProviderApp | undefined;

/** `settings` by the stem of their names in lower case, as in SHEAF_BOX_CLIENT_ID → box. */
export const createAppOf =
  (settings: Readonly<Record<string, ProviderApp>>): AppOf =>
  ({ settings: application, addresses }) => {
    const stem = application ?? addresses;
    return stem === undefined ? undefined : (settings[stem.toLowerCase()] ?? {});
  };

/** Why the source can be linked no more: its provider has ended the service, and the operator names no compatible server. */
export const closedBecause = (source: Source, appOf: AppOf): string | undefined =>
  appOf(source)?.apiUrl === undefined ? source.closed : undefined;
