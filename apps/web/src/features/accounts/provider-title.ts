const titles: Readonly<Record<string, string>> = { google: 'Google', microsoft: 'Microsoft' };

/** A sign-in provider as people call it. */
export const providerTitle = (provider: string): string => titles[provider] ?? provider;
