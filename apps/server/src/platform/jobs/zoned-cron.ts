import { type Cron, parseCron } from './cron.ts';

const day = 86_400_000;

/**
 * A schedule by the clocks of a time zone (IANA name). A time that clocks skip in spring runs when it would be without the change (02:30 at 03:30); a time
 * that comes twice in autumn runs the first time. Throws RangeError for an unknown zone, and what `parseCron` refuses.
 */
export function zonedCron(text: string, timeZone: string): Cron {
  const walls = parseCron(text);
  const wallOf = wallClock(timeZone);

  /** Times at which the clocks show that wall time: two in the repeated hour, one otherwise. Both are shown as if in UTC. */
  function timesOf(wall: number): number[] {
    // Clocks change at most once in two days: one of the offsets around holds.
    const offsets = [...new Set([wall - day, wall + day].map((at) => wallOf(at) - at))];
    const times = offsets.map((offset) => wall - offset).filter((time) => wallOf(time) === wall);
    return times.length > 0 ? times.sort((a, b) => a - b) : [wall - (offsets[0] ?? 0)];
  }

  return {
    next(after) {
      for (let wall = wallOf(Math.floor(after / 1000) * 1000); ;) {
        wall = walls.next(wall);
        const [time = Infinity] = timesOf(wall);
        if (time > after) return time;
      }
    },
  };
}

/** Returns what the clocks of the zone show at a time, in milliseconds as if it were UTC. */
function wallClock(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (time) => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    const at = (type: string): number => parts.get(type as Intl.DateTimeFormatPartTypes) ?? 0;
    return Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second'));
  };
}
