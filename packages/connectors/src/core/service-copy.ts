import type { CallOptions, Entry } from './connector.ts';
import { ConnectorError, type ConnectorErrorKind, isKind } from './error.ts';

/** A file's location at its service, for `copyFrom` of another link. Kept in memory only: the location may be a secret. */
export interface ServiceFile {
  readonly service: string;
  readonly location: string;
  readonly entry: Entry;
}

/** Options of `serviceFile`. */
export interface LocateOptions extends CallOptions {
  /** `account` of the link that will copy the file. */
  readonly forAccount?: string | undefined;
}

/**
 * Server-side copying of files between two links of one service, so that the bytes do not pass through Sheaf. A connector has all members
 * or none. Links with the same `service` see the same files at the same locations, as far as their accounts have access.
 */
export interface ServiceCopies {
  /** The service and, where locations depend on it, the account. Not a secret. */
  readonly service: string;
  /** The account's id at the service, where another account must use other locations than the owner. Not a secret. */
  readonly account?: string;
  /**
   * Returns the file's location at the service; rejects with `notFound` or `isAFolder`, and with `unsupported` where the service does not
   * let the other account copy it.
   */
  serviceFile(file: string, ask: LocateOptions): Promise<ServiceFile>;
  /**
   * Copies a file of another link of the same service to the path; never replaces. Rejects with `unsupported` where this account may not
   * read the file, or the service cannot copy this kind of file: the caller then has to transfer the bytes.
   */
  copyFrom(file: ServiceFile, to: string, ask: CallOptions): Promise<Entry>;
}

/** Errors of a service that does not let this account read the file, or does not copy it. */
const refusals: readonly ConnectorErrorKind[] = ['failed', 'forbidden', 'noBucket', 'notFound', 'unauthorized', 'unsupported'];

/** Runs a server-side copy; turns the service's refusals into `unsupported`. */
export async function unlessRefused<T>(copy: () => Promise<T>): Promise<T> {
  try {
    return await copy();
  } catch (error) {
    if (!isKind(error, ...refusals)) throw error;
    throw new ConnectorError('unsupported', 'the service does not copy this file', { cause: error });
  }
}
