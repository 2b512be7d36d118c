import { ConnectorError, type ConnectorErrorKind, isKind } from '../../core/error.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { decodeXmlText } from '../../kit/xml/xml-text.ts';

/** S3's error: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
export interface S3Failure {
  readonly status: number;
  /** Empty when the response has no body, as for HEAD. */
  readonly code: string;
  readonly message: string;
  /** The bucket's region, when the request was sent to another one. */
  readonly region?: string;
  /** ms to wait before a retry, when the response says so. */
  readonly retryAfter?: number;
}

const kinds: Readonly<Record<string, ConnectorErrorKind>> = {
  AccessDenied: 'forbidden',
  AccountProblem: 'forbidden',
  AllAccessDisabled: 'forbidden',
  BucketAlreadyExists: 'alreadyExists',
  ConditionalRequestConflict: 'alreadyExists',
  EntityTooLarge: 'full',
  ExpiredToken: 'unauthorized',
  InsufficientCapacity: 'full',
  InvalidAccessKeyId: 'wrongKey',
  InvalidBucketName: 'noBucket',
  InvalidObjectName: 'badName',
  InvalidObjectState: 'forbidden',
  InvalidRange: 'badRange',
  InvalidURI: 'badName',
  KeyTooLongError: 'badName',
  MethodNotAllowed: 'forbidden',
  NoSuchBucket: 'noBucket',
  NoSuchKey: 'notFound',
  NoSuchUpload: 'interrupted',
  NoSuchVersion: 'notFound',
  NotImplemented: 'unsupported',
  NotSignedUp: 'forbidden',
  PreconditionFailed: 'alreadyExists',
  QuotaExceeded: 'full',
  RequestTimeTooSkewed: 'unexpected',
  RequestTimeout: 'timeout',
  ServiceUnavailable: 'rateLimited',
  SignatureDoesNotMatch: 'wrongSignature',
  SlowDown: 'rateLimited',
  TooManyRequests: 'rateLimited',
  XMinioAdminBucketQuotaExceeded: 'full',
  XMinioInvalidObjectName: 'badName',
  XMinioObjectExistsAsDirectory: 'alreadyExists',
  XMinioParentIsObject: 'notAFolder',
  XMinioStorageFull: 'full',
};

const kindsByStatus: Readonly<Record<number, ConnectorErrorKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  408: 'timeout',
  409: 'alreadyExists',
  412: 'alreadyExists',
  413: 'full',
  416: 'badRange',
  429: 'rateLimited',
  501: 'unsupported',
  503: 'rateLimited',
  507: 'full',
};

/** Error details: the bucket requires an MD5 that the upload lacked. */
export const lacksMd5 = { lacks: 'content-md5' } as const;

const badArgument = { lacks: 'argument' } as const;
/** Whether the service refuses an argument as malformed, such as a version id. */
export const isBadArgument = (error: unknown): boolean => isKind(error, 'unexpected') && error.details['lacks'] === badArgument.lacks;

const lacksUpload = { lacks: 'upload' } as const;
/** Whether the service does not know the multipart upload, or no longer knows it: it was completed or aborted. */
export const isUnknownUpload = (error: unknown): boolean => isKind(error, 'interrupted') && error.details['lacks'] === lacksUpload.lacks;

/** Transient errors: a retry may succeed. */
const passing = new Set(['InternalError', 'OperationAborted', 'RequestTimeout', 'ServiceUnavailable', 'SlowDown', 'TooManyRequests']);
const passingStatus = new Set([408, 429, 500, 502, 503, 504]);

/** Maps an S3 error to a connector error. */
export function s3Error({ status, code, message, region, retryAfter }: S3Failure): ConnectorError {
  // The key is the only part of that header that the user enters; for a wrong region the error contains the right one.
  const isKey = code === 'AuthorizationHeaderMalformed' && region === undefined;
  const isMd5 = status === 400 && (code === 'InvalidRequest' || code === 'MissingContentMD5') && /content-md5/i.test(message);
  const kind = isKey ? 'wrongKey' : isMd5 ? 'interrupted' : (kinds[code] ?? kindsByStatus[status] ?? 'unexpected');
  return new ConnectorError(kind, `S3 answered ${status} ${code}: ${message}`.trim(), {
    retryable: passing.has(code) || passingStatus.has(status),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(isMd5 && { details: lacksMd5 }),
    ...(code === 'NoSuchUpload' && { details: lacksUpload }),
    ...(kind === 'unexpected' && code === 'InvalidArgument' && { details: badArgument }),
  });
}

/** Parses an error response. Its body is a small XML document, or empty. */
export async function readFailure({ status, headers, text }: HttpResponse): Promise<S3Failure> {
  const seconds = Number(headers['retry-after']);
  const told = failureIn(await text());
  return {
    ...told,
    // MinIO also sends the code in a header, for responses without a body.
    code: told.code || (headers['x-minio-error-code'] ?? ''),
    status,
    ...(headers['x-amz-bucket-region'] && { region: headers['x-amz-bucket-region'] }),
    ...(seconds > 0 && { retryAfter: seconds * 1000 }),
  };
}

/** Parses an error in an XML body. A 200 response to a copy or to CompleteMultipartUpload may contain one as well. */
export function failureIn(xml: string): Omit<S3Failure, 'status'> {
  const region = elementText(xml, 'Region');
  return { code: elementText(xml, 'Code'), message: elementText(xml, 'Message'), ...(region && { region }) };
}

export const etagIn = (xml: string): string => elementText(xml, 'ETag').replaceAll('"', '');
export const uploadIdIn = (xml: string): string => elementText(xml, 'UploadId');

/** Returns an element's text; '' when it is missing, also for a document that is not XML, such as a proxy's page. */
function elementText(xml: string, name: string): string {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
  return isSound(text) ? decodeXmlText(text) : '';
}

const isSound = (text: string): boolean => !text.replace(/&(?:lt|gt|amp|quot|apos|#\d{2,3});/g, '').includes('&');
