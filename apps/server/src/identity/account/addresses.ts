import { AppError, type ErrorAnswer } from '@sheaf/contract';
import { type EmailAddress, readEmail } from './rules.ts';

/** An address that is not invited, and why. */
export interface Refusal extends ErrorAnswer {
  readonly email: string;
}

/** Splits a typed list at commas, semicolons and line breaks. */
export const splitAddresses = (list: string): string[] =>
  list
    .split(/[,;\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** Returns the valid addresses of a list without duplicates, and the invalid ones with the reason. */
export function readAddresses(list: string): { addresses: EmailAddress[]; refused: Refusal[] } {
  const addresses = new Map<string, EmailAddress>();
  const refused: Refusal[] = [];
  for (const typed of splitAddresses(list)) {
    try {
      const address = readEmail(typed);
      addresses.set(address.emailKey, addresses.get(address.emailKey) ?? address);
    } catch (error) {
      refused.push(refusalOf(typed, error));
    }
  }
  return { addresses: [...addresses.values()], refused };
}

/** Maps an error to the inviter's view; rethrows what is not a refusal. */
export function refusalOf(email: string, error: unknown): Refusal {
  if (!(error instanceof AppError)) throw error;
  return { email, ...error.toAnswer() };
}
