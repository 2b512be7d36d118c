import { type ConnectorError, type ConnectorErrorKind, isKind } from '../../core/error.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { parseJson } from '../../kit/rest/json.ts';
import { refusalOf } from '../../kit/rest/refusal.ts';
import { ErrorAnswer } from './api.ts';

/** https://www.backblaze.com/docs/cloud-storage-native-api-error-handling, and the page of each call. */
const kinds: Readonly<Record<string, ConnectorErrorKind>> = {
  access_denied: 'forbidden',
  already_hidden: 'notFound',
  bad_auth_token: 'unauthorized',
  bad_bucket_id: 'noBucket',
  bad_bucket_name: 'noBucket',
  bad_sha1_checksum: 'damaged',
  cap_exceeded: 'full',
  conflict: 'unexpected',
  download_cap_exceeded: 'full',
  expired_auth_token: 'unauthorized',
  file_not_present: 'notFound',
  invalid_bucket_id: 'noBucket',
  invalid_bucket_name: 'noBucket',
  invalid_file_name: 'badName',
  no_such_file: 'notFound',
  not_found: 'notFound',
  range_not_satisfiable: 'badRange',
  request_timeout: 'timeout',
  storage_cap_exceeded: 'full',
  too_many_requests: 'rateLimited',
  transaction_cap_exceeded: 'full',
  // The token is valid, but the key lacks a capability for this call.
  unauthorized: 'forbidden',
};

/** Error codes whose meaning differs for one call. */
export type Meaning = Readonly<Record<string, ConnectorErrorKind>>;

/** A login does not say which value is wrong: an unknown key id is `bad_auth_token`, a wrong pair is `unauthorized`. */
export const loginMeaning: Meaning = { bad_auth_token: 'wrongKey', unauthorized: 'wrongSignature' };

/** Names and sizes are checked before an upload: a bad request therefore means that the bytes do not match their SHA-1. */
export const uploadMeaning: Meaning = { bad_request: 'damaged' };

export interface Refusal {
  readonly error: ConnectorError;
  /** The token has expired; retry with a new one. */
  readonly isStale: boolean;
}

/** Parses an error response. Responses to HEAD have no body and therefore no code. */
export async function readRefusal(response: HttpResponse, meaning: Meaning = {}): Promise<Refusal> {
  const code = codeIn(await response.text());
  const kind = meaning[code] ?? kinds[code] ?? (response.status === 401 ? 'forbidden' : undefined);
  const isStale = response.status === 401 && (code === '' || code === 'bad_auth_token' || code === 'expired_auth_token');
  return { error: refusalOf(response, kind, code), isStale };
}

function codeIn(text: string): string {
  try {
    const { code } = parseJson(ErrorAnswer, text);
    return /^[a-z\d_]{1,60}$/.test(code) ? code : '';
  } catch (error) {
    if (isKind(error, 'unexpected')) return '';
    throw error;
  }
}
