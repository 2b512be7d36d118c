const titles: Readonly<Record<string, string>> = { google: 'Google', microsoft: 'Microsoft' };

/** Display name of a sign-in provider. */
export const providerTitle = (provider: string): string => titles[provider] ?? provider;
