import { type HealthFinding, type HealthProblem, healthTexts } from '@sheaf/contract';
import { PathLink } from '#/ui/PathLink.tsx';

/** The document with more about a problem. */
const pages: Readonly<Partial<Record<HealthProblem, { href: string; words: string }>>> = {
  jobsFail: { href: '/operator/jobs', words: 'See which, and why' },
  noBackup: { href: '/operator/backups', words: 'See the backups' },
  backupOld: { href: '/operator/backups', words: 'See the backups' },
  mailOnDisk: { href: '/operator/settings', words: 'See the settings' },
};

/** The problem, its remedy, and the details that were seen. */
export function ProblemText({ finding: { problem, detail } }: { finding: HealthFinding }) {
  const page = pages[problem];
  return (
    <>
      {healthTexts[problem]}
      {detail !== undefined && ` (${detail})`}
      {page && (
        <>
          {' '}
          <PathLink href={page.href}>{page.words}</PathLink>.
        </>
      )}
    </>
  );
}
