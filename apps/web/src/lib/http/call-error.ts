import { type ErrorAnswer, type ErrorExtras, type MessageCode, errorExtras, errorTable, foreignCodes, networkFault } from '@sheaf/contract';

/** Why there is no usable answer: none arrived, or it could not be parsed. */
export type NetworkFault = 'noResponse' | 'unreadable';

/** A failed call: an error of the catalogue as the server sent it, or a network fault (`fault` is set, `errorCode` is 0). */
export class CallError extends Error {
  readonly errorCode: number;
  readonly messageCode: string;
  readonly fault: NetworkFault | undefined;
  /** Further fields of the answer. */
  readonly extras: ErrorExtras;
  /** Whether the answer had no message of its own. */
  readonly isWordless: boolean;

  constructor({ errorCode, messageCode, message, ...extras }: ErrorAnswer, fault?: NetworkFault, cause?: unknown, isWordless = false) {
    super(message, { cause });
    this.name = 'CallError';
    this.errorCode = errorCode;
    this.messageCode = messageCode;
    this.extras = extras;
    this.fault = fault;
    this.isWordless = isWordless;
  }

  is(messageCode: MessageCode): boolean {
    return this.messageCode === messageCode;
  }
}

/** Whether a call failed on the network, without an answer of the server. */
export const isFault = (error: unknown): boolean => error instanceof CallError && error.fault !== undefined;

const knownCodes: ReadonlySet<number> = new Set([...Object.values(errorTable).map(({ code }) => code), ...foreignCodes]);

/** The error of a call without a usable answer. */
export function faultError(fault: NetworkFault, cause?: unknown): CallError {
  const message = fault === 'noResponse' ? `${networkFault.noResponse} ${networkFault.text}` : networkFault.text;
  return new CallError({ errorCode: 0, messageCode: '', message }, fault, cause);
}

/** The error of an answer's body; another shape counts as unreadable, an unknown code gets a general text. */
export function errorOfAnswer(body: unknown): CallError {
  if (typeof body !== 'object' || body === null || !('errorCode' in body) || typeof body.errorCode !== 'number')
    return faultError('unreadable');
  const { errorCode } = body;
  const messageCode = 'messageCode' in body && typeof body.messageCode === 'string' ? body.messageCode : '';
  const told = 'message' in body && typeof body.message === 'string' ? body.message : '';
  const message = knownCodes.has(errorCode) && told !== '' ? told : errorTable.UNEXPECTED.text.replace('{code}', String(errorCode));
  return new CallError({ errorCode, messageCode, message, ...extrasOf(body) }, undefined, undefined, told === '');
}

const extrasOf = (body: object): ErrorExtras =>
  Object.fromEntries(Object.entries(body).filter(([name, value]) => typeof value === 'string' && errorExtras.some((one) => one === name)));

/** The message to show for any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof CallError ? error.message : networkFault.text;
}

/** Whether the call failed because nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof CallError && error.errorCode === errorTable.INVALID_SESSION.code;
}
