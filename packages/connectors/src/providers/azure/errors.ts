import { ConnectorError, type ConnectorErrorKind, isKind } from '../../core/error.ts';
import type { HttpResponse } from '../../kit/http/http.ts';

const invalidBlockList = 'InvalidBlockList';
/** Whether the service does not have the blocks of a commit, or no longer has them. */
export const lacksBlocks = (error: unknown): boolean => isKind(error, 'interrupted') && error.details['code'] === invalidBlockList;

/** https://learn.microsoft.com/rest/api/storageservices/blob-service-error-codes */
const kinds: Readonly<Record<string, ConnectorErrorKind>> = {
  AccountIsDisabled: 'forbidden',
  AuthorizationFailure: 'forbidden',
  BlobAlreadyExists: 'alreadyExists',
  BlobArchived: 'forbidden',
  BlobImmutableDueToPolicy: 'forbidden',
  BlobNotFound: 'notFound',
  CannotVerifyCopySource: 'forbidden',
  ConditionNotMet: 'alreadyExists',
  ContainerBeingDeleted: 'noBucket',
  ContainerDisabled: 'forbidden',
  ContainerNotFound: 'noBucket',
  DirectoryIsNotEmpty: 'notEmpty',
  FeatureNotYetSupportedForHierarchicalNamespaceAccounts: 'unsupported',
  InsufficientAccountPermissions: 'forbidden',
  [invalidBlockList]: 'interrupted',
  InvalidQueryParameterValue: 'unsupported',
  InvalidRange: 'badRange',
  InvalidResourceName: 'badName',
  InvalidUri: 'badName',
  LeaseIdMissing: 'forbidden',
  OperationNotSupportedOnDirectory: 'isAFolder',
  OperationTimedOut: 'timeout',
  OutOfRangeInput: 'badName',
  RequestBodyTooLarge: 'full',
  ServerBusy: 'rateLimited',
  UnauthorizedBlobOverwrite: 'alreadyExists',
  UnsupportedQueryParameter: 'unsupported',
};

const kindsByStatus: Readonly<Record<number, ConnectorErrorKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  409: 'alreadyExists',
  412: 'alreadyExists',
  413: 'full',
  416: 'badRange',
  429: 'rateLimited',
  501: 'unsupported',
  503: 'rateLimited',
};

/** Context of the request that the response does not contain. */
interface Circumstances {
  /** The request concerned the container, not a blob. */
  readonly ofContainer: boolean;
  /** The address belongs to another account than the one that signed. */
  readonly otherAccount: boolean;
}

/** Maps an error response and consumes its body. The code is in a header, also for HEAD. */
export async function azureError(response: HttpResponse, circumstances: Circumstances): Promise<ConnectorError> {
  const { status, headers } = response;
  await response.discard();
  const code = headers['x-ms-error-code'] ?? '';
  const seconds = Number(headers['retry-after']);
  return new ConnectorError(kindOf(status, code, headers['server'] ?? '', circumstances), `Azure answered ${status} ${code}`.trim(), {
    retryable: status >= 500 || status === 429,
    ...(seconds > 0 && { retryAfter: seconds * 1000 }),
    ...(code === invalidBlockList && { details: { code } }),
  });
}

function kindOf(status: number, code: string, server: string, { ofContainer, otherAccount }: Circumstances): ConnectorErrorKind {
  // The emulator uses this code for a wrong signature; the service uses it for a firewall.
  const refused = code === 'AuthenticationFailed' || (code === 'AuthorizationFailure' && server.startsWith('Azurite'));
  if (refused) return otherAccount ? 'wrongKey' : 'wrongSignature';
  // A missing container has a code of its own: here the account is missing.
  if (code === 'ResourceNotFound' && ofContainer) return 'wrongKey';
  // No container can have such a name.
  if (ofContainer && (code === 'InvalidResourceName' || code === 'OutOfRangeInput')) return 'noBucket';
  return kinds[code] ?? kindsByStatus[status] ?? 'unexpected';
}
