import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { formatSize } from '#/lib/format.ts';
import { Skeleton } from '#/ui/Skeleton.tsx';
import classes from './public.module.css';

/** How much of a text is read, in bytes. */
const most = 256 * 1024;

/** The beginning of a text. */
async function readStart(src: string, signal: AbortSignal): Promise<string> {
  const answer = await fetch(src, { signal, headers: { range: `bytes=0-${most - 1}` } });
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  // An answer without a range holds the whole file: no more is taken than was asked for.
  for (let left = most; reader && left > 0;) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value.subarray(0, left), { stream: true });
    left -= value.length;
  }
  await reader?.cancel();
  return text;
}

/** A text file's first 256 KB as they are. */
export function TextView({ src, size, onError }: { src: string; size: number | undefined; onError: () => void }) {
  const { data, isError } = useQuery({ queryKey: ['public-text', src], queryFn: ({ signal }) => readStart(src, signal), retry: false });
  useEffect(() => {
    if (isError) onError();
  }, [isError, onError]);
  if (data === undefined) return <Skeleton width="60%" height={14} />;
  return (
    <div className={classes.text} tabIndex={0} role="region" aria-label="Text">
      <pre>{data}</pre>
      {size !== undefined && size > most && <p>The first {formatSize(most)} are shown.</p>}
    </div>
  );
}
