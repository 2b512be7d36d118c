import { Button } from '@mantine/core';
import { IconCheck, IconCopy, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { shopQuery } from '#/features/purchase/queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { Skeleton } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import classes from '../purchase.module.css';

interface AddOn {
  readonly title: string;
  readonly lead: string;
  readonly points: readonly string[];
  readonly Icon: typeof IconCopy;
  /** Link to the feature, once the account has it. */
  readonly use: { readonly href: string; readonly text: string };
}

const backup: AddOn = {
  title: 'Backup',
  lead: 'Keep copies of your folders in a storage of your choice.',
  points: [
    'The desktop client and the command-line client copy what has changed, and nothing twice.',
    'You choose the storage and the folder, among all that you have linked.',
    'Your files stay files: they can be opened at the storage, with or without Sheaf.',
  ],
  Icon: IconCopy,
  use: { href: '/download', text: 'Get the desktop client' },
};
const spaces: AddOn = {
  title: 'Spaces',
  lead: 'Share a folder of your storage with the people you invite.',
  points: [
    'A space lies in a folder of any storage that you have linked. Nothing is copied elsewhere.',
    'Invite by mail, as viewers, editors or managers. Whoever you invite needs no subscription.',
    'End it whenever you like: the files stay where they are.',
  ],
  Icon: IconUsersGroup,
  use: { href: '/account/mysheaf?catid=spaces', text: 'Go to my spaces' },
};

/** Describes Backup and how to get it. */
export const BackupPage = () => <AddOnPage addOn={backup} here="/add-ons/backup" />;
/** Describes Spaces and how to get them. */
export const SpacesPage = () => <AddOnPage addOn={spaces} here="/add-ons/spaces" />;

function AddOnPage({ addOn: { title, lead, points, Icon, use }, here }: { addOn: AddOn; here: string }) {
  const { data: shop, error, refetch } = useQuery(shopQuery);
  const isIncluded = shop?.tokenizer.mode === 'off';
  const state = shop?.subscription?.state;
  const has = isIncluded || (state !== undefined && state !== 'expired');
  const upgrade = withQuery('/upgrade', { returnUrl: here });
  return (
    <article className={classes.addOn}>
      <span className={classes.addOnIcon} aria-hidden="true">
        <Icon size={26} stroke={1.5} />
      </span>
      <h1>{title}</h1>
      <p className={classes.lead}>{lead}</p>
      <ul>
        {points.map((point) => (
          <li key={point}>
            <IconCheck size={18} stroke={2} aria-hidden="true" />
            {point}
          </li>
        ))}
      </ul>
      {error && <ErrorState title="Your subscription could not be loaded" message={errorText(error)} onRetry={() => void refetch()} />}
      {!shop && !error && <Skeleton width="220px" height={36} />}
      {shop && (
        <>
          <p className={classes.addOnState}>
            {isIncluded
              ? `${title} is included on this installation.`
              : has
                ? `Premium includes ${title}, and you have Premium.`
                : `Premium includes ${title}.`}
          </p>
          <div className={classes.addOnActions}>
            {has ? (
              <Button variant="filled" component={PathLink} href={use.href}>
                {use.text}
              </Button>
            ) : (
              <>
                <Button variant="filled" component={PathLink} href={`${upgrade}#${state === 'expired' ? 'renewScreen' : 'purchaseScreen'}`}>
                  Get Premium
                </Button>
                {shop.trialEligible && (
                  <Button component={PathLink} href={`${upgrade}#thirtydaytrialScreen`}>
                    Try free for 7 days
                  </Button>
                )}
              </>
            )}
          </div>
        </>
      )}
    </article>
  );
}
