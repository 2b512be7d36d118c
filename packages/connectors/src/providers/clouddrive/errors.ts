import { Type } from 'typebox';
import { type ConnectorError, type ConnectorErrorKind, isKind } from '../../core/error.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { parseJson } from '../../kit/rest/json.ts';
import { refusalOf } from '../../kit/rest/refusal.ts';

const kinds: Readonly<Record<string, ConnectorErrorKind>> = {
  INSUFFICIENT_STORAGE: 'full',
  INVALID_NODE_NAME: 'badName',
  NAME_ALREADY_EXISTS: 'alreadyExists',
  NODE_NOT_FOUND: 'notFound',
};
const ErrorAnswer = Type.Object({ code: Type.String() });

/** Maps an error response: by the service's code where there is one, otherwise by status. */
export function driveError(response: HttpResponse, text: string): ConnectorError {
  const code = codeIn(text);
  return refusalOf(response, kinds[code], code);
}

function codeIn(text: string): string {
  try {
    const { code } = parseJson(ErrorAnswer, text);
    return /^\w{1,60}$/.test(code) ? code : '';
  } catch (error) {
    if (isKind(error, 'unexpected')) return '';
    throw error;
  }
}
