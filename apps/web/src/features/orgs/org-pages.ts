import { type OrgRight, type OrgRole, mayInOrg } from '@sheaf/contract';

/** A page about an organisation. */
export interface OrgPage {
  readonly title: string;
  readonly path: string;
  readonly right: OrgRight;
  /** Only where billing is on. */
  readonly isPaid?: true;
}

const orgPages = {
  members: { title: 'Members', path: '/org/members', right: 'members' },
  directory: { title: 'Directory', path: '/org/directory', right: 'members' },
  subscription: { title: 'Subscription', path: '/org/subscription', right: 'billing', isPaid: true },
  billing: { title: 'Billing', path: '/org/billing', right: 'billing', isPaid: true },
} as const satisfies Record<string, OrgPage>;

/** The pages for a role; those about money only where billing is on. */
export const pagesFor = (role: OrgRole, pays: boolean | undefined): OrgPage[] =>
  Object.values<OrgPage>(orgPages).filter(({ right, isPaid }) => mayInOrg(role, right) && (isPaid !== true || pays !== false));
