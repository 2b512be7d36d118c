import type { AppError, MessageCode } from '@sheaf/contract';
import { isRefusedByStorage } from '#/links/connections/answers.ts';

/** The errors of S3 that are answered, with status and sentence: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const table = {
  AccessDenied: [403, 'Access denied.'],
  BadDigest: [400, 'The checksum does not match the bytes that arrived.'],
  EntityTooLarge: [400, 'The object is too large.'],
  IncompleteBody: [400, 'The body does not have the form that its headers announce.'],
  InternalError: [500, 'Something went wrong. Please try again.'],
  InvalidAccessKeyId: [403, 'The access key is not known, or its secret key is another one.'],
  InvalidArgument: [400, 'An argument is not valid.'],
  InvalidDigest: [400, 'A checksum is not valid.'],
  InvalidPart: [400, 'A part is missing or has changed.'],
  InvalidPartOrder: [400, 'The parts are not in order.'],
  InvalidRange: [416, 'The range is outside of the object.'],
  KeyTooLongError: [400, 'The key is too long.'],
  MalformedXML: [400, 'The XML is not valid.'],
  MethodNotAllowed: [405, 'The method is not allowed here.'],
  MissingContentLength: [411, 'The length of the body is missing.'],
  EntityTooSmall: [400, 'Each part but the last one must have at least 5 MiB.'],
  NoSuchBucket: [404, 'There is no such bucket.'],
  NoSuchKey: [404, 'There is no such object.'],
  NoSuchUpload: [404, 'There is no such upload.'],
  NotImplemented: [501, 'This is not supported.'],
  OperationAborted: [409, 'Another file or folder is in the way.'],
  PreconditionFailed: [412, 'A condition does not hold.'],
  RequestTimeTooSkewed: [403, 'The clock of the client differs by more than 15 minutes.'],
  SignatureDoesNotMatch: [403, 'The signature does not match. Please check the secret key.'],
  SlowDown: [503, 'Please try again in a moment.'],
  XAmzContentSHA256Mismatch: [400, 'The hash does not match the bytes that arrived.'],
} as const satisfies Record<string, readonly [number, string]>;
export type S3Code = keyof typeof table;

/** A refusal in the words of S3. */
export class S3Error extends Error {
  readonly code: S3Code;
  readonly sentence: string;
  constructor(code: S3Code, sentence: string = table[code][1], cause?: unknown) {
    super(code, { cause });
    this.name = 'S3Error';
    this.code = code;
    this.sentence = sentence;
  }
  get status(): number {
    return table[this.code][0];
  }
}

const codes: Partial<Record<MessageCode, S3Code>> = {
  FILE_NAME_REFUSED: 'InvalidArgument',
  HTTPS_NEEDED: 'AccessDenied',
  INVALID_CREDENTIALS: 'InvalidAccessKeyId',
  INVALID_LINK_URI: 'NoSuchBucket',
  IS_A_FOLDER: 'NoSuchKey',
  ITEM_NOT_FOUND: 'NoSuchKey',
  MALFORMED_REQUEST: 'MalformedXML',
  MISSING_PARAMETER: 'InvalidArgument',
  NAME_TAKEN: 'OperationAborted',
  NOT_A_FOLDER: 'NoSuchKey',
  RANGE_NOT_SATISFIABLE: 'InvalidRange',
  ROLE_FORBIDS: 'AccessDenied',
  SIZE_DIFFERS: 'IncompleteBody',
  SOURCE_CANNOT: 'NotImplemented',
  SOURCE_FORBIDS: 'AccessDenied',
  TOO_MANY_TRIES: 'SlowDown',
};

/** By the status of errors that have no code of their own. Clients repeat what is answered with 500, so no refusal is. */
const byStatus: Readonly<Record<number, S3Code>> = {
  401: 'AccessDenied',
  403: 'AccessDenied',
  404: 'NoSuchKey',
  409: 'OperationAborted',
  412: 'PreconditionFailed',
  413: 'EntityTooLarge',
  416: 'InvalidRange',
  421: 'AccessDenied',
  429: 'SlowDown',
  503: 'SlowDown',
};

/** The same error for a client of S3. */
export function s3ErrorOf(error: AppError): S3Error {
  const known = isRefusedByStorage(error) ? 'AccessDenied' : (codes[error.messageCode] ?? byStatus[error.status]);
  const code = known ?? (error.status < 500 ? 'InvalidArgument' : 'InternalError');
  return new S3Error(code, error.toAnswer().message, error);
}
