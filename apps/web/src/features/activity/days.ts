import type { AuditEntry } from '@sheaf/contract';

/** Groups entries by day in the browser's time zone, keeping their order. */
export function byDay(entries: readonly AuditEntry[], now = new Date(), locale?: string): { title: string; entries: AuditEntry[] }[] {
  const today = now.toDateString();
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1).toDateString();
  const titleOf = ({ at }: AuditEntry): string => {
    const date = new Date(at * 1000);
    const day = date.toDateString();
    if (day === today) return 'Today';
    return day === yesterday ? 'Yesterday' : date.toLocaleDateString(locale, { dateStyle: 'full' });
  };
  return [...Map.groupBy(entries, titleOf)].map(([title, ofDay]) => ({ title, entries: ofDay }));
}
