import { escapeXml } from '@sheaf/connectors';
import type { AppError, MessageCode } from '@sheaf/contract';
import { isRefusedByStorage } from '#/links/connections/answers.ts';

/** An answer to a WebDAV request. */
export interface DavAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** XML, whole or as it is written. */
  readonly body?: string | AsyncIterable<string>;
}

/** A refusal that WebDAV defines: its status, and its precondition (RFC 4918, section 16). */
export class DavError extends Error {
  readonly status: number;
  readonly precondition: string | undefined;
  /** XML in the precondition's element. */
  readonly about: string;
  constructor(status: number, precondition?: string, about = '') {
    super(`WebDAV ${status} ${precondition ?? ''}`);
    this.name = 'DavError';
    this.status = status;
    this.precondition = precondition;
    this.about = about;
  }
}

export const xmlHead = '<?xml version="1.0" encoding="utf-8"?>\n';

/** Statuses that differ from those of our own calls. */
const statuses: Partial<Record<MessageCode, number>> = {
  INVALID_CREDENTIALS: 401,
  INVALID_LINK_URI: 404,
  NOT_A_FOLDER: 409,
  IS_A_FOLDER: 405,
  NAME_TAKEN: 405,
  MISSING_PARAMETER: 400,
  ROLE_FORBIDS: 403,
  SOURCE_CANNOT: 403,
  SOURCE_FORBIDS: 403,
  SOURCE_FULL: 507,
};

/** 401 asks the client for its own password: of a storage that refuses the link's login it would be told with each request. */
export const statusOf = (error: AppError): number => (isRefusedByStorage(error) ? 403 : (statuses[error.messageCode] ?? error.status));

/** The body of a refusal. */
export function errorBody(error: DavError | AppError): string {
  if (error instanceof DavError) {
    const { precondition, about } = error;
    return precondition === undefined ? '' : `${xmlHead}<D:error xmlns:D="DAV:"><D:${precondition}>${about}</D:${precondition}></D:error>`;
  }
  const { message } = error.toAnswer();
  return `${xmlHead}<D:error xmlns:D="DAV:"><s:message xmlns:s="urn:sheaf">${escapeXml(message)}</s:message></D:error>`;
}

/** The reason of a status line within a multistatus answer. */
const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  403: 'Forbidden',
  404: 'Not Found',
  423: 'Locked',
  424: 'Failed Dependency',
  507: 'Insufficient Storage',
};
export const statusLine = (status: number): string => `<D:status>HTTP/1.1 ${status} ${reasons[status] ?? 'Error'}</D:status>`;
