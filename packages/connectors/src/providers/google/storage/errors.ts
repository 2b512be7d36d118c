import { ConnectorError, type ConnectorErrorKind } from '../../../core/error.ts';
import type { HttpResponse } from '../../../kit/http/http.ts';
import { googleRefusal } from '../apis/google-refusal.ts';

/** Cloud Storage's error reasons: https://cloud.google.com/storage/docs/json_api/v1/status-codes */
const kinds: Readonly<Record<string, ConnectorErrorKind>> = {
  conditionNotMet: 'alreadyExists',
  conflict: 'alreadyExists',
  insufficientPermissions: 'needsAuthorization',
  required: 'needsAuthorization',
  retentionPolicyNotMet: 'forbidden',
  uploadTooLarge: 'full',
  userProjectMissing: 'forbidden',
};

/** Maps an error response of Cloud Storage. */
export const cloudRefusal = (response: HttpResponse, text: string): ConnectorError => googleRefusal(response, text, kinds);

/** Statuses of a bucket request that mean a missing bucket or an impossible bucket name. */
export const noBucketStatuses: readonly number[] = [400, 404];

/** Returns the response, unless it says that the bucket is missing. */
export async function ofBucket(response: HttpResponse): Promise<HttpResponse> {
  if (!noBucketStatuses.includes(response.status)) return response;
  await response.discard();
  throw new ConnectorError('noBucket', `the bucket is missing: ${response.status}`);
}
