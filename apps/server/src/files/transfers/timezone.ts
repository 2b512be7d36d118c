import { appError } from '@sheaf/contract';

/** Rejects names of time zones that are not known here. */
export function checkTimezone(timezone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone }).format(0);
  } catch (error) {
    if (error instanceof RangeError) throw appError('INVALID_PARAMETER', { field: 'timezone' });
    throw error;
  }
}
