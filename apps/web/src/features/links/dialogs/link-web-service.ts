import { type Source, linkWebServicePath, orgLinkWebServicePath } from '@sheaf/contract';
import type { Targets } from './targets.ts';

interface AuthorizationRequest {
  readonly source: Source;
  /** Return addresses after success and after the user declines. */
  readonly redirectUrl: string;
  readonly cancelUrl: Targets['cancel'];
  /** The link to reauthorize. */
  readonly userLinkId?: string | undefined;
  readonly handoffToken?: string | undefined;
  readonly orgOid?: string | undefined;
}

/** Address that starts an authorization; needs a full page load. */
export function linkWebServiceUrl({ source, redirectUrl, cancelUrl, userLinkId, handoffToken, orgOid }: AuthorizationRequest): string {
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
