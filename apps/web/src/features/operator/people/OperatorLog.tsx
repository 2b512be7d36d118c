import type { OperatorAction } from '@sheaf/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { errorText } from '#/lib/http/error-text.ts';
import { ShowMore } from '#/ui/button/ShowMore.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { operatorLog } from './people-queries.ts';
import shared from '../sections.module.css';
import classes from './people.module.css';

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const words: Readonly<Record<OperatorAction, string>> = {
  'people.invite': 'invited',
  'people.withdraw': 'took back the invitation of',
  'people.disable': 'disabled',
  'people.enable': 'enabled',
  'people.signOut': 'signed out',
  'people.removeFactor': 'removed the second factor of',
  'people.makeOperator': 'made an operator of',
  'people.removeOperator': 'took operator rights from',
  'people.close': 'deleted the account of',
  'people.keep': 'kept the account of',
  'jobs.retry': 'ran the job',
  'jobs.cancel': 'cancelled the job',
  'limits.set': 'changed limits of',
  'mail.test': 'sent a test mail to',
  'backup.make': 'made the backup',
};

/** The log of what operators did. Renders nothing while it is empty. */
export function OperatorLog() {
  const pages = useInfiniteQuery(operatorLog);
  const { data, error, refetch } = pages;
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  if (error) return <ErrorState title="The log could not be shown" message={errorText(error)} onRetry={() => void refetch()} />;
  if (entries.length === 0) return null;
  return (
    <section aria-label="What operators did" className={shared.section}>
      <h2>What operators did</h2>
      <p className={classes.intro}>Nobody can change this log.</p>
      <ul className={classes.log}>
        {entries.map(({ entryId, at, actor, action, subject }) => (
          <li key={entryId}>
            <time dateTime={new Date(at * 1000).toISOString()}>{time.format(at * 1000)}</time>
            <span>
              {actor} {words[action]} <b>{subject}</b>.
            </span>
          </li>
        ))}
      </ul>
      <ShowMore pages={pages} className={classes.more} />
    </section>
  );
}
