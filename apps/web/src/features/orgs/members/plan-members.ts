/** How many members a plan carries, as the server tells it in text: an integer, 0 when it is missing or none. */
export function membersOfPlan(told: string | undefined): number {
  const count = Number.parseInt(told ?? '', 10);
  return Number.isNaN(count) ? 0 : count;
}
