import type { Entry } from '@sheaf/connectors';
import { foldName, numberedName } from '@sheaf/contract';

/** Most numbers tried for a taken name. */
const mostNumbers = 10_000;

/** The name with the lowest number that is free, compared without case. */
export function freeName(name: string, kind: Entry['kind'], isTaken: (folded: string) => boolean): string | undefined {
  for (let number = 2; number < mostNumbers; number++) {
    const candidate = numberedName(name, number, kind);
    if (!isTaken(foldName(candidate))) return candidate;
  }
  return undefined;
}
