import type { CallOptions, Entry } from './connector.ts';
import { ConnectorError, type ConnectorErrorKind, isKind } from './error.ts';

/** A file as its service finds it, for `copyFrom` of another link. Kept in memory only: the location may be a secret. */
export interface ServiceFile {
  readonly service: string;
  readonly location: string;
  readonly entry: Entry;
}

/** Options of `serviceFile`. */
export interface LocateOptions extends CallOptions {
  /** `account` of the link that is to copy the file. */
  readonly forAccount?: string | undefined;
}

/**
 * Copying of files between two links by their service, without the bytes passing through us: all of it exists, or none. Links whose `service` is equal
 * see the same files at the same locations, as far as their accounts may.
 */
export interface ServiceCopies {
  /** The service and, where locations depend on it, the account. No secret. */
  readonly service: string;
  /** The account by the service's own id, where another account needs other locations than the file's own one. No secret. */
  readonly account?: string;
  /**
   * Where the service finds the file; rejects with `notFound` or `isAFolder`, and with `unsupported` where the service does not let the other account
   * copy it.
   */
  serviceFile(file: string, ask: LocateOptions): Promise<ServiceFile>;
  /**
   * Copies a file of a link of the same service to the path; never replaces. Rejects with `unsupported` where this account may not read the file, or the
   * service does not copy one like it: the bytes then have to be sent.
   */
  copyFrom(file: ServiceFile, to: string, ask: CallOptions): Promise<Entry>;
}

/** What a service says that does not let this account read the file, or does not copy it. */
const refusals: readonly ConnectorErrorKind[] = ['failed', 'forbidden', 'noBucket', 'notFound', 'unauthorized', 'unsupported'];

/** Runs a copy by the service; its refusals become `unsupported`. */
export async function unlessRefused<T>(copy: () => Promise<T>): Promise<T> {
  try {
    return await copy();
  } catch (error) {
    if (!isKind(error, ...refusals)) throw error;
    throw new ConnectorError('unsupported', 'the service does not copy this file', { cause: error });
  }
}
