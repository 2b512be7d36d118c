/** Number of members of a plan, parsed from the server's text: an integer, 0 when missing or invalid. */
export function membersOfPlan(told: string | undefined): number {
  const count = Number.parseInt(told ?? '', 10);
  return Number.isNaN(count) ? 0 : count;
}
