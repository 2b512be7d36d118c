import { ConnectorError, type ConnectorErrorKind } from '../../../core/error.ts';
import type { HttpResponse } from '../../../kit/http/http.ts';
import { googleRefusal } from '../shared/google-refusal.ts';

/** Reasons of Cloud Storage: https://cloud.google.com/storage/docs/json_api/v1/status-codes */
const kinds: Readonly<Record<string, ConnectorErrorKind>> = {
  conditionNotMet: 'alreadyExists',
  conflict: 'alreadyExists',
  insufficientPermissions: 'needsAuthorization',
  required: 'needsAuthorization',
  retentionPolicyNotMet: 'forbidden',
  uploadTooLarge: 'full',
  userProjectMissing: 'forbidden',
};

/** The failure that an answer of Cloud Storage tells. */
export const cloudRefusal = (response: HttpResponse, text: string): ConnectorError => googleRefusal(response, text, kinds);

/** Statuses that say of a request about a bucket that there is none of this name, or that none could be. */
export const noBucketStatuses: readonly number[] = [400, 404];

/** The answer, unless it says that the bucket is missing. */
export async function ofBucket(response: HttpResponse): Promise<HttpResponse> {
  if (!noBucketStatuses.includes(response.status)) return response;
  await response.discard();
  throw new ConnectorError('noBucket', `the bucket is missing: ${response.status}`);
}
