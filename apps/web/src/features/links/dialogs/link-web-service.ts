import { type Source, linkWebServicePath, orgLinkWebServicePath } from '@sheaf/contract';
import type { Targets } from './targets.ts';

interface Ask {
  readonly source: Source;
  /** Where the browser comes back to, and where it goes when the user declines. */
  readonly redirectUrl: string;
  readonly cancelUrl: Targets['cancel'];
  /** The link that is authorized again. */
  readonly userLinkId?: string | undefined;
  readonly handoffToken?: string | undefined;
  readonly orgOid?: string | undefined;
}

/** Address at which an authorization begins; a whole page load leads there. */
export function linkWebServiceUrl({ source, redirectUrl, cancelUrl, userLinkId, handoffToken, orgOid }: Ask): string {
  const query = new URLSearchParams({
    sourceType: source.sourceTypes[0] ?? source.provider,
    providerName: source.provider,
    redirectUrl,
    cancelUrl,
  });
  if (userLinkId !== undefined) query.set('userLinkId', userLinkId);
  if (handoffToken !== undefined) query.set('handoffToken', handoffToken);
  if (orgOid !== undefined) query.set('orgOid', orgOid);
  if (source.family === 'googlecloud') query.set('buildRedirectUrl', 'true');
  else if (orgOid === undefined) {
    query.set('buildRedirectUrl', 'false');
    query.set('authPrompt', 'true');
  }
  return `${orgOid === undefined ? linkWebServicePath : orgLinkWebServicePath}?${query.toString()}`;
}
