import { IconBell } from '@tabler/icons-react';
import { PathLink } from '#/ui/PathLink.tsx';
import { noticeText } from './upgrade-text.ts';
import classes from './TopBar.module.css';

/** The bell with the trial or upgrade notice; empty when there is nothing to upgrade. */
export function UpgradeNotice({ state, days }: { state: string; days: number | undefined }) {
  if (state === '') return null;
  const text = noticeText(days);
  return (
    <PathLink className={classes.trial} href="/account/upgrade" aria-label={text} title={text}>
      <IconBell size={16} stroke={1.75} aria-hidden="true" />
      <span>{text}</span>
    </PathLink>
  );
}
