/** The words beside the bell: how many days of the trial are left, or the offer when there is no trial running. */
export function noticeText(days: number | undefined): string {
  if (days === undefined || days < 0) return 'Upgrade to Premium';
  return days <= 1 ? 'Premium trial expires today' : `Premium trial expires in ${days} days`;
}
