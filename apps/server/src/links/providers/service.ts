import { type LinkProvider, type Source, appError, findSource, sources } from '@sheaf/contract';
import { type AppOf, closedBecause } from '#/links/grants/apps.ts';

export type Providers = ReturnType<typeof createProviders>;

/** Providers: the catalogue, and what of it works on this installation. */
export function createProviders(appOf: AppOf) {
  const described = (source: Source): LinkProvider => {
    const { provider, title, addApi, updateApi, serverUrl, destinationUrl, available, settings } = source;
    const closed = closedBecause(source, appOf);
    return {
      provider,
      displayTitle: title,
      title,
      ...(addApi !== undefined && { addApi }),
      ...(updateApi !== undefined && { updateApi }),
      logoUrl: `/images/logos/${provider.toLowerCase()}.svg`,
      ...(serverUrl !== undefined && { serverUrl }),
      ...(destinationUrl !== undefined && { destinationUrl }),
      isSetUp: settings === undefined || Boolean(appOf(source)?.clientId),
      available,
      ...(closed !== undefined && { closed }),
    };
  };
  return {
    /** Rejects with INVALID_SOURCE_TYPE for a provider that is not in the catalogue. */
    find(provider: string): LinkProvider {
      const source = findSource(provider);
      if (!source) throw appError('INVALID_SOURCE_TYPE', {});
      return described(source);
    },
    /** All providers, including those whose connector or settings are missing. */
    list: (): LinkProvider[] =>
      sources
        .filter((source: Source) => source.group !== undefined)
        .map((source) => described(source))
        .toSorted((a, b) => a.title.localeCompare(b.title, 'en')),
  };
}
