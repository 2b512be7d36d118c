import { type MessageCode, type Source, type Verdict, errorTable } from '@sheaf/contract';
import { CallError } from '#/lib/http/call-error.ts';
import { type ErrorFields, faultWords, errorText, reasonText, errorAnswerText } from '#/lib/http/error-text.ts';
import { screenText } from '#/lib/http/screen-text.ts';
import type { Form, Mode } from './fields/field.ts';

/** Why a save failed, in the user's words. */
export interface Failure {
  readonly text: string;
  /** The server's finding, where `text` is a question. */
  readonly reason?: string;
  /** The field concerned; without one the failure is shown above the buttons. */
  readonly field?: string;
  /** Whether the user may save anyway. */
  readonly canContinue: boolean;
  /** Fingerprint of a changed host key that the user may accept. */
  readonly hostKey?: string;
  /** Fingerprint of a certificate that the user may trust. */
  readonly certificate?: string;
  /** The new address that the server redirects to. */
  readonly movedTo?: string;
  /** The account is linked already: the next save creates another link of it, after a check. */
  readonly linksAgain?: true;
}

/** The server's answer: its verdict on a connection, or the error of a call. */
interface CheckAnswer extends ErrorFields {
  readonly hostKey?: string | undefined;
}

const code = (messageCode: MessageCode): number => errorTable[messageCode].code;

/** Errors about the connection rather than the input: in an advisory family the user may save anyway. */
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
      'WRONG_PROTOCOL',
      'SERVER_MOVED',
    ] as const
  ).map(code),
);

/** The failure of a negative check. */
export function failureOfVerdict(form: Form, verdict: Verdict): Failure {
  if (verdict.errorCode === undefined || isAdvisory(form, verdict)) return refusal(form, verdict);
  const isKnown = Object.keys(form.faults).some((one) => one === verdict.messageCode);
  return form.check === 'verify' && !isKnown ? refusal(form, verdict) : known(form, verdict);
}

/** The failure of a call that was refused or got no answer. */
export function failureOfError(form: Form, source: Source, error: unknown, mode: Mode = 'create'): Failure {
  if (!(error instanceof CallError) || error.fault !== undefined)
    return { text: form.unreachable(faultWords().text, source), canContinue: false };
  const answer: CheckAnswer = error.answer;
  if (error.is('DUPLICATE_LINK')) return duplicate(form, answer, mode);
  if (isAdvisory(form, answer)) return refusal(form, answer);
  if (form.check !== 'whileSaving') return known(form, answer);
  if (error.is('CANNOT_CONNECT') && isGeneric(source)) return { text: mayStillConnect(source), canContinue: true, ...found(answer) };
  if (error.is('NO_SCHEMA_SUPPLIED')) return { ...known(form, answer), text: screenText('SCHEME_MISSING', { message: errorText(error) }) };
  if (error.is('INVALID_CREDENTIALS') && form.family === 'webdav') {
    return { text: screenText('LOGIN_REFUSED', {}), field: 'password', canContinue: false };
  }
  return known(form, answer);
}

/** The failure's text for the field `name`, or undefined when it concerns something else. */
export const textAt = (failure: Failure | undefined, name: string): string | undefined =>
  failure?.field === name ? failure.text : undefined;

const isGeneric = ({ provider }: Source): boolean => provider === 'WebDAV' || provider === 'SheafGateway';

const mayStillConnect = ({ title }: Source): string => screenText('UNANSWERED_MAY_CONTINUE', { server: title });

/** In every family an account may be linked twice; only some ask with a button of their own. */
function duplicate(form: Form, answer: CheckAnswer, mode: Mode): Failure {
  const message = errorAnswerText(answer);
  if (form.continuesOnDuplicate === true) return { text: screenText('LINKED_MAY_CONTINUE', { message }), canContinue: true };
  const text =
    mode === 'edit'
      ? screenText('LINKED_SAVE_AGAIN', { message })
      : screenText('LINKED_PRESS_AGAIN', { message, button: form.createLabel });
  return { text, canContinue: false, linksAgain: true };
}

/** A wrong passphrase shares its number with a wrong login, but only the user can correct it. */
function isAdvisory(form: Form, { errorCode = 0, messageCode = '' }: CheckAnswer): boolean {
  return form.advisory && aboutConnection.has(errorCode) && messageCode !== 'WRONG_PASSPHRASE';
}

function refusal(form: Form, answer: CheckAnswer): Failure {
  const reason = [answer.errorCode === undefined ? '' : errorAnswerText(answer), reasonText(answer)].filter(Boolean).join(' ');
  return { text: form.refused(), canContinue: form.advisory, ...(reason === '' ? {} : { reason }), ...offers(form, answer) };
}

function known(form: Form, answer: CheckAnswer): Failure {
  const field = answer.field ?? Object.entries(form.faults).find(([one]) => one === answer.messageCode)?.[1];
  return {
    text: answer.errorCode === undefined ? form.refused() : errorAnswerText(answer),
    canContinue: false,
    ...found(answer),
    ...(field === undefined ? {} : { field }),
    ...offers(form, answer),
  };
}

/** What exactly the server found. */
function found(answer: CheckAnswer): Pick<Failure, 'reason'> {
  const reason = reasonText(answer);
  return reason === undefined ? {} : { reason };
}

/** What the user may accept instead of a correction. */
const offers = (form: Form, { hostKey, certificate, movedTo }: CheckAnswer): Pick<Failure, 'hostKey' | 'certificate' | 'movedTo'> => ({
  ...(hostKey === undefined ? {} : { hostKey }),
  ...(certificate === undefined || form.trustsCertificates !== true ? {} : { certificate }),
  ...(movedTo === undefined ? {} : { movedTo }),
});
