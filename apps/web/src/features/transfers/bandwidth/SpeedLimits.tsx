import { Button } from '@mantine/core';
import { limitNow, parseTimetable } from '@sheaf/contract';
import { IconGauge } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { formatSize } from '#/lib/format.ts';
import { bandwidthQuery } from './queries.ts';
import { TimetableDialog } from './TimetableDialog.tsx';

/** Milliseconds between two looks at the clock. */
const lookEvery = 30_000;

/** Tells the limit of all transfers together at this time, and opens the timetable. */
export function SpeedLimits() {
  const { data } = useQuery(bandwidthQuery);
  const [now, setNow] = useState(() => Date.now());
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), lookEvery);
    return () => clearInterval(timer);
  }, []);
  if (!data) return null;
  const limit = limitNow(parseTimetable(data.timetable) ?? [], data.timezone, now);
  return (
    <>
      <Button size="xs" leftSection={<IconGauge size={16} stroke={1.75} aria-hidden="true" />} onClick={() => setOpen(true)}>
        {limit === null ? 'No speed limit now' : `At most ${formatSize(limit)}/s now`}
      </Button>
      {isOpen && <TimetableDialog bandwidth={data} onClose={() => setOpen(false)} />}
    </>
  );
}
