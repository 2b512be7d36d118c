/** When a source last answered, in words. Both in epoch seconds. */
export function checkedWords(checkedAt: number | undefined, now: number): string {
  if (checkedAt === undefined) return 'Not checked yet';
  const minutes = Math.floor((now - checkedAt) / 60);
  if (minutes < 1) return 'Checked just now';
  if (minutes < 60) return `Checked ${minutes} min ago`;
  if (minutes < 24 * 60) return `Checked ${Math.floor(minutes / 60)} h ago`;
  const days = Math.floor(minutes / (24 * 60));
  return days === 1 ? 'Checked yesterday' : `Checked ${days} days ago`;
}
