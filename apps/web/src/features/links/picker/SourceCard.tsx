import { IconBan, IconSettings } from '@tabler/icons-react';
import { PathLink } from '#/ui/PathLink.tsx';
import { logoUrl } from '../rows.ts';
import { sourceUrl } from '../source-route.ts';
import { SourceLogo } from '../SourceLogo.tsx';
import type { Choice } from './catalogue.ts';
import classes from './picker.module.css';

type Props = { choice: Choice; addressOf?: (path: string) => string };

const obstacleIcons = { closed: IconBan, notSetUp: IconSettings } as const;

/** A type to choose. Where the user has a link of it already, choosing it edits that one; the plus makes another. */
export function SourceCard({ choice: { source, caption, obstacle, linked }, addressOf = (path) => path }: Props) {
  const Obstacle = obstacle && obstacleIcons[obstacle];
  return (
    <li className={classes.kind} data-shut={obstacle !== undefined || undefined}>
      <SourceLogo src={logoUrl(source.provider)} size={36} faded={obstacle !== undefined} />
      <PathLink className={classes.choose} href={addressOf(sourceUrl(source))}>
        <b>{source.title}</b>
        <small>
          {Obstacle && <Obstacle size={13} stroke={1.75} aria-hidden="true" />}
          {caption}
        </small>
      </PathLink>
      {linked > 0 && obstacle === undefined && (
        <PathLink className={classes.another} href={addressOf(sourceUrl(source, true))} aria-label={`Link another ${source.title}`}>
          Link another
        </PathLink>
      )}
    </li>
  );
}
