/** Text next to the bell: the days left of the trial, or the offer when no trial is running. */
export function noticeText(days: number | undefined): string {
  if (days === undefined || days < 0) return 'Upgrade to Premium';
  return days <= 1 ? 'Premium trial expires today' : `Premium trial expires in ${days} days`;
}
