import { type Org, type OrgRole, type Subscription, orgRights } from '@sheaf/contract';

export const roleWords: Readonly<Record<OrgRole, string>> = { member: 'Member', admin: 'Admin', owner: 'Owner' };

/** What a role may do, in a few words. */
export const roleExplanations: Readonly<Record<'member' | 'admin', string>> = {
  member: 'Uses and manages the links.',
  admin: 'Also invites and removes members.',
};

/** Who may do something, for those without the right. */
export function whoMay(right: keyof typeof orgRights): string {
  const roles: readonly OrgRole[] = orgRights[right];
  return roles.includes('admin') ? 'The owner and the admins' : 'Only the owner';
}

/** An organisation in one line: one's role, the plan, and its remaining time. */
export function orgLine({ role, planName, planMembers, members, state, expirationDays }: Org): string {
  const plan =
    state === 'expired'
      ? `The plan has ended. ${members === 1 ? '1 member' : `${members} members`}`
      : `${planName}, ${members} of ${planMembers} members`;
  return `${roleWords[role]} · ${plan}${state === 'trial' ? ` · ${trialWords(expirationDays)}` : ''}`;
}

const trialWords = (days = 0): string => (days <= 1 ? 'trial expires today' : `trial expires in ${days} days`);

/** Formats a date (epoch seconds) for reading. */
export const dateWords = (seconds: number): string => new Date(seconds * 1000).toLocaleDateString(undefined, { dateStyle: 'medium' });

/** How a paid plan continues; after a failed renewal its end is in the past, and it stays active while the charge is retried. */
export function renewalWords({ state, autoRenew, endsAt }: Pick<Subscription, 'state' | 'autoRenew' | 'endsAt'>, date = dateWords) {
  const ends = date(endsAt);
  if (state === 'pastDue')
    return { line: `The renewal of ${ends} could not be paid yet.`, off: 'The plan then ends at once', stopped: 'The plan has ended.' };
  return {
    line: autoRenew ? `The plan renews on ${ends}.` : `The plan ends on ${ends}.`,
    off: `The plan then ends on ${ends}`,
    stopped: `The plan ends on ${ends}.`,
  };
}
