import { type MessageCode, type Source, type Verdict, errorTable, networkFault } from '@sheaf/contract';
import { CallError } from '#/lib/call-error.ts';
import type { Form } from './field.ts';

/** Why a save did not succeed, in the user's words. */
export interface Failure {
  readonly text: string;
  /** What exactly the server found, where `text` is a question. */
  readonly reason?: string;
  /** The field it is about; without one it stands over the buttons. */
  readonly field?: string;
  /** The user may save all the same. */
  readonly canContinue: boolean;
  /** Fingerprint of a changed host key that the user may accept. */
  readonly hostKey?: string;
}

/** What the server said: with its verdict on a connection, or as the error of a call. */
interface Told {
  readonly errorCode?: number | undefined;
  readonly messageCode?: string | undefined;
  readonly message?: string | undefined;
  readonly hostKey?: string | undefined;
}

const code = (messageCode: MessageCode): number => errorTable[messageCode].code;

/** Errors that tell of the connection, not of what was entered: in an advisory family the user may save in spite of them. */
const aboutConnection = new Set(
  (
    [
      'INVALID_CREDENTIALS',
      'CANNOT_CONNECT',
      'CERTIFICATE_NAME_MISMATCH',
      'CERTIFICATE_MISSING',
      'AUTH_TYPE_MISMATCH',
      'SOURCE_FORBIDS',
      'SOURCE_TIMEOUT',
      'SOURCE_BUSY',
      'TRANSFER_CUT',
      'SOURCE_CONFUSED',
      'ITEM_NOT_FOUND',
      'AUTHORIZATION_NEEDED',
      'APPLICATION_REFUSED',
    ] as const
  ).map(code),
);

/** The failure of a check that answered no. */
export function failureOfVerdict(form: Form, verdict: Verdict): Failure {
  if (verdict.errorCode === undefined || isAdvisory(form, verdict)) return refusal(form, verdict);
  return known(form, verdict);
}

/** The failure of a call that was refused or got no answer. */
export function failureOfError(form: Form, source: Source, error: unknown): Failure {
  if (!(error instanceof CallError) || error.fault !== undefined) {
    const server = form.server(source);
    return { text: `Cannot connect${server === '' ? '' : ` to ${server}`}. ${networkFault.text}`, canContinue: false };
  }
  if (isAdvisory(form, error)) return refusal(form, error);
  if (form.check !== 'whileSaving') return known(form, error);
  if (error.is('CANNOT_CONNECT') && isGeneric(source)) return { text: mayStillConnect(source), canContinue: true };
  if (error.is('NO_SCHEMA_SUPPLIED'))
    return { ...known(form, error), text: `${error.message} Please include http:// or https:// in the server address.` };
  if (error.is('INVALID_CREDENTIALS') && form.family === 'webdav') {
    return { text: 'Invalid login credentials. Please try again.', field: 'password', canContinue: false };
  }
  return known(form, error);
}

/** The failure with the sentence it ends up as at the field `name`, or undefined when it is about something else. */
export const textAt = (failure: Failure | undefined, name: string): string | undefined =>
  failure?.field === name ? failure.text : undefined;

const isGeneric = ({ provider }: Source): boolean => provider === 'WebDAV' || provider === 'SheafGateway';

const mayStillConnect = ({ title }: Source): string =>
  `Could not connect to ${title} server to validate your credentials. You may still be able to connect. Do you want to continue?`;

/** A wrong passphrase shares its number with a wrong login, but only the user can put it right. */
function isAdvisory(form: Form, { errorCode = 0, messageCode = '' }: Told): boolean {
  if (form.continuesOnDuplicate === true && errorCode === code('DUPLICATE_LINK')) return true;
  return form.advisory && aboutConnection.has(errorCode) && messageCode !== 'WRONG_PASSPHRASE';
}

function refusal(form: Form, { message, errorCode }: Told): Failure {
  if (errorCode === code('DUPLICATE_LINK') && message !== undefined)
    return { text: `${message} Do you want to continue?`, canContinue: true };
  return { text: form.refused, canContinue: form.advisory, ...(message === undefined ? {} : { reason: message }) };
}

function known(form: Form, { message, messageCode, hostKey }: Told): Failure {
  const field = Object.entries(form.faults).find(([one]) => one === messageCode)?.[1];
  return {
    text: message ?? form.refused,
    canContinue: false,
    ...(field === undefined ? {} : { field }),
    ...(hostKey === undefined ? {} : { hostKey }),
  };
}
