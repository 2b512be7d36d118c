import type { LinkRoom } from '@sheaf/contract';
import { IconAlertCircle, IconDatabaseExclamation } from '@tabler/icons-react';
import { fixLate } from '#/features/links/pages/fix-late.ts';
import { fullnessOf, roomWords } from '#/features/links/rooms.ts';
import { type Link, isOfOrganisation } from '#/features/links/rows.ts';
import { errorAnswerText } from '#/lib/http/error-text.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { Button, ButtonPath } from '#/ui/button/Button.tsx';
import { useGo } from '#/ui/PathLink.tsx';
import classes from './home.module.css';

/** Most alerts; the rows below show all problems. */
const most = 3;

type Props = { links: readonly Link[]; rooms: ReadonlyMap<string, LinkRoom> | undefined };

/** Links that need something from their user: those that do not answer, and accounts that are nearly full. */
export function Attention({ links, rooms }: Props) {
  const go = useGo();
  const broken = links.filter(({ state }) => state === 'attention');
  const full = links.flatMap((link) => {
    const room = rooms?.get(link.userLinkId);
    return link.state !== 'attention' && room && fullnessOf(room)?.isScarce === true ? [{ link, room }] : [];
  });
  const count = broken.length + full.length;
  if (count === 0) return null;
  return (
    <section className={classes.attention} aria-label="Needs attention">
      <ul>
        {broken.slice(0, most).map((link) => {
          const edit = (): void => go(withQuery('/account/mysheaf', { edit: link.userLinkId }));
          return (
            <li key={link.userLinkId}>
              <IconAlertCircle size={18} stroke={1.75} aria-hidden="true" />
              <p>
                <b>{link.name}</b> {link.attentionError ? errorAnswerText(link.attentionError) : link.attention}
              </p>
              {!isOfOrganisation(link) && link.formType !== 'SPACES' && (
                <Button size="xs" aria-label={`Fix now: ${link.name}`} onClick={() => fixLate(link, edit)}>
                  Fix now
                </Button>
              )}
            </li>
          );
        })}
        {full.slice(0, Math.max(0, most - broken.length)).map(({ link, room }) => (
          <li key={link.userLinkId} data-soft>
            <IconDatabaseExclamation size={18} stroke={1.75} aria-hidden="true" />
            <p>
              <b>{link.name}</b> is nearly full: {roomWords(room)}.
            </p>
            <ButtonPath
              size="xs"
              href={withQuery('/usage', { linkUri: link.linkUri })}
              aria-label={`See what uses the room of ${link.name}`}
            >
              See what uses it
            </ButtonPath>
          </li>
        ))}
      </ul>
      {count > most && <p className={classes.more}>{count - most} more below</p>}
    </section>
  );
}
