import type { LinkRoom } from '@sheaf/contract';
import { fullnessOf, roomWords } from './rooms.ts';
import classes from './Room.module.css';

/** Room that a link's account uses, as a bar where it has a limit. Without `room` only its place. */
export function Room({ room, className = '' }: { room: LinkRoom | undefined; className?: string | undefined }) {
  const place = `${classes.room ?? ''} ${className}`;
  if (!room) return <span className={place} />;
  const fullness = fullnessOf(room);
  const words = roomWords(room);
  return (
    <span className={place} title={words}>
      {fullness && (
        <span className={classes.bar} data-scarce={fullness.isScarce || undefined} aria-hidden="true">
          <i style={{ width: `${Math.max(2, fullness.part * 100)}%` }} />
        </span>
      )}
      <span className={classes.words}>{words}</span>
    </span>
  );
}
