import { AppError } from '@sheaf/contract';
import { type EmailAddress, readEmail } from './rules.ts';

/** An address that is not invited, and why. */
export interface Refusal {
  readonly email: string;
  readonly message: string;
}

/** What somebody lists, separated by commas, semicolons or lines. */
export const splitAddresses = (list: string): string[] =>
  list
    .split(/[,;\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** The addresses of a list, each once, and those that cannot be right with the reason. */
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

/** What the inviter is told; throws what is no refusal. */
export function refusalOf(email: string, error: unknown): Refusal {
  if (!(error instanceof AppError)) throw error;
  return { email, message: error.message };
}
