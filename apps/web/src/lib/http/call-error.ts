import type { ErrorAnswer, MessageCode } from '@sheaf/contract';

/** Why there is no usable answer: none arrived, or it could not be parsed. */
export type NetworkFault = 'noResponse' | 'unreadable';

/**
 * A failed call: an error of the catalogue as the server sent it, or a network fault (`fault` is set, `errorCode` is 0). Its `message` is a code for
 * logs; `errorText` words it for the user.
 */
export class CallError extends Error {
  readonly answer: ErrorAnswer;
  readonly fault: NetworkFault | undefined;

  constructor(answer: ErrorAnswer, fault?: NetworkFault, cause?: unknown) {
    super(fault ?? `${answer.errorCode} ${answer.messageCode}`, { cause });
    this.name = 'CallError';
    this.answer = answer;
    this.fault = fault;
  }

  get errorCode(): number {
    return this.answer.errorCode;
  }

  /** Whether the answer had no sentence of its own. */
  get isWordless(): boolean {
    return this.fault === undefined && this.answer.message === '';
  }

  is(...messageCodes: readonly MessageCode[]): boolean {
    return messageCodes.some((code) => this.answer.messageCode === code);
  }
}

/** Whether a call failed on the network, without an answer of the server. */
export const isFault = (error: unknown): boolean => error instanceof CallError && error.fault !== undefined;

/** The error of a call without a usable answer. */
export function faultError(fault: NetworkFault, cause?: unknown): CallError {
  return new CallError({ errorCode: 0, messageCode: '', message: '', details: {} }, fault, cause);
}

/** The error of an answer's body; another shape counts as unreadable. */
export function errorOfAnswer(body: unknown): CallError {
  if (typeof body !== 'object' || body === null || !('errorCode' in body) || typeof body.errorCode !== 'number')
    return faultError('unreadable');
  const { errorCode } = body;
  const texts = Object.fromEntries(Object.entries(body).filter(([, value]) => typeof value === 'string'));
  const details = stringsOf('details' in body ? body.details : undefined);
  const reasonDetails = stringsOf('reasonDetails' in body ? body.reasonDetails : undefined);
  return new CallError({ messageCode: '', message: '', ...texts, errorCode, details, reasonDetails });
}

const stringsOf = (value: unknown): Record<string, string> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
    : {};

/** Whether the call failed because nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof CallError && error.is('INVALID_SESSION');
}
