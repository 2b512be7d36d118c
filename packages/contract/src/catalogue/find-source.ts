import type { Source } from './source.ts';
import { sources } from './sources.ts';

/** The source with that provider name, ignoring case, or undefined. */
export function findSource(provider: string): Source | undefined {
  const wanted = provider.toLowerCase();
  return sources.find((source) => source.provider.toLowerCase() === wanted);
}

/** Whether the page of this type shows a dialog; types with their own route do not. */
export const hasOwnRoute = (source: Source): boolean =>
  source.family === 'b2' || source.family === 'sheafgateway' || source.family === 'oracledocuments';

/** Heading of a group of My links, by source type. */
export function sourceTypeTitle(sourceType: string): string {
  const titles: Record<string, string> = {
    S3: 'Amazon S3',
    S3X: 'Amazon S3 (Enhanced)',
    S3Compat: 'S3 Compatible',
    S3XCompat: 'S3 Compatible (Enhanced)',
    Org: 'Organisation',
  };
  return (
    titles[sourceType] ?? sources.find((source) => (source.sourceTypes as readonly string[]).includes(sourceType))?.title ?? sourceType
  );
}
