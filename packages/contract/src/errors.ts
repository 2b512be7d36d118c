import { englishWords } from './english-words.ts';
import type { ErrorAnswer } from './error-answer.ts';
import { type MessageCode, errorTable } from './error-table.ts';
import { type ErrorDetails, type Reason, reasonSentenceOf, sentenceOf } from './error-words.ts';
import type { ReasonCode, reasonTable } from './reason-table.ts';
import type { Placeholders } from './template.ts';

/** The details of an error: one for each placeholder of its template. */
export type Details<N extends MessageCode> = Readonly<Record<Exclude<Placeholders<(typeof errorTable)[N]['text']>, 'reason'>, string>>;
type DetailsOfReason<N extends ReasonCode> = Readonly<Record<Placeholders<(typeof reasonTable)[N]>, string>>;

/** What some errors tell besides their message, for a dialog to act on. */
export interface ErrorExtras extends Pick<ErrorAnswer, 'field' | 'certificate' | 'movedTo'> {
  readonly reason?: Reason;
}

/** A failure the user is told about: a row of the catalogue with its details. Its sentence comes from the row only. */
export class AppError extends Error {
  readonly messageCode: MessageCode;
  readonly details: ErrorDetails;
  readonly extras: ErrorExtras;

  /** Use {@link appError}, which checks the details. */
  private constructor(messageCode: MessageCode, details: ErrorDetails, cause?: unknown, extras: ErrorExtras = {}) {
    super(sentenceOf(englishWords, messageCode, details, extras.reason), { cause });
    this.name = 'AppError';
    this.messageCode = messageCode;
    this.details = details;
    this.extras = extras;
  }

  static of<N extends MessageCode>(messageCode: N, details: Details<N>, cause?: unknown, extras?: ErrorExtras): AppError {
    return new AppError(messageCode, details, cause, extras);
  }

  get errorCode(): number {
    return errorTable[this.messageCode].code;
  }

  get status(): number {
    return errorTable[this.messageCode].status;
  }

  /** The same error about an item that the user knows by another name; itself if it names nothing. */
  named(name: string): AppError {
    return 'name' in this.details ? new AppError(this.messageCode, { ...this.details, name }, this, this.extras) : this;
  }

  /** The answer that clients get. */
  toAnswer(): ErrorAnswer {
    const { errorCode, messageCode, message, details } = this;
    const { reason, ...extras } = this.extras;
    const found = reason && { reason: reasonSentenceOf(englishWords, reason), reasonCode: reason.code, reasonDetails: reason.details };
    return { errorCode, messageCode, message, details, ...found, ...extras };
  }
}

/** Makes the error called `messageCode`; `details` must fill every placeholder of its template. */
export const appError: typeof AppError.of = (...given) => AppError.of(...given);

/** Makes a reason; `details` must fill every placeholder of its sentence. */
export const reasonOf = <N extends ReasonCode>(code: N, details: DetailsOfReason<N>): Reason => ({ code, details });
