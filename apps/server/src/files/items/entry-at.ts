import type { Connector, Entry } from '@sheaf/connectors';
import { AppError } from '@sheaf/contract';

/** Whether an error is the catalogue's of that name. */
export const isRow = (error: unknown, ...names: readonly AppError['messageCode'][]): error is AppError =>
  error instanceof AppError && names.includes(error.messageCode);

/** The entry, or undefined when nothing is there. */
export async function entryAt(connector: Connector, path: string, signal: AbortSignal): Promise<Entry | undefined> {
  try {
    return await connector.stat(path, { signal });
  } catch (error) {
    if (isRow(error, 'ITEM_NOT_FOUND')) return undefined;
    throw error;
  }
}
