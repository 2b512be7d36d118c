/** Times that the dialog offers; a program may set any other. */
export const rhythms = ['hourly', 'daily', 'weekly'] as const;
export type Rhythm = (typeof rhythms)[number];

export const rhythmWords: Readonly<Record<Rhythm, string>> = { hourly: 'Every hour', daily: 'Every day', weekly: 'Every Monday' };

/** Cron text of a rhythm at a time such as `02:30`; every hour uses the minute only. */
export function cronOf(rhythm: Rhythm, time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return `${minute} ${rhythm === 'hourly' ? '*' : hour} * * ${rhythm === 'weekly' ? 1 : '*'}`;
}
