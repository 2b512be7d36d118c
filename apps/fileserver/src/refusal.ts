/** HTTP status of the protocol's error codes; docs/gateway/protocol.md says when each is sent. */
export const statuses = {
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  unsupported: 405,
  notAFolder: 409,
  isAFolder: 409,
  alreadyExists: 412,
  badRange: 416,
  badName: 422,
  rateLimited: 429,
  sizeDiffers: 400,
  damaged: 400,
  unexpected: 500,
  full: 507,
} as const satisfies Record<string, number>;
export type RefusalCode = keyof typeof statuses;

/** The only error sent unchanged. Its message goes to the client: it contains no local path and no secret. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: RefusalCode,
    message: string,
    options: { readonly cause?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'Refusal';
    this.code = code;
    this.headers = options.headers ?? {};
  }
}

/** errno(3) values that matter to a client. */
const ofSystem: Readonly<Record<string, readonly [RefusalCode, string]>> = {
  EACCES: ['forbidden', 'the file server may not do that here'],
  EBUSY: ['forbidden', 'the item is in use'],
  EDQUOT: ['full', 'the quota is used up'],
  EEXIST: ['alreadyExists', 'the name is taken'],
  EFBIG: ['full', 'the file is too large for this disk'],
  EILSEQ: ['badName', 'the disk cannot hold this name'],
  EINVAL: ['badName', 'the disk cannot hold this name'],
  EISDIR: ['isAFolder', 'this is a folder'],
  ELOOP: ['notFound', 'there is no such item'],
  ENAMETOOLONG: ['badName', 'the name is too long'],
  ENOENT: ['notFound', 'there is no such item'],
  ENOSPC: ['full', 'the disk is full'],
  ENOTDIR: ['notFound', 'there is no such item'],
  ENOTEMPTY: ['alreadyExists', 'the name is taken'],
  EPERM: ['forbidden', 'the file server may not do that here'],
  EROFS: ['forbidden', 'the disk is read-only'],
};

/** The code of a system error such as `ENOENT`; undefined for anything else. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export const isSystemError = (error: unknown, ...codes: readonly string[]): boolean => codes.includes(systemCode(error) ?? '');

/** Maps any failure to a refusal. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const [code, message] = ofSystem[systemCode(error) ?? ''] ?? ['unexpected', 'the file server could not do that'];
  return new Refusal(code, message, { cause: error });
}
