import { formatDuration, formatSize } from '#/lib/format.ts';
import { type Upload, percentOf } from '#/lib/uploads/uploads.ts';

/** How far an upload is, in words and numbers. `leftClass` is of the time that is left. */
export function UploadFigures({ upload, leftClass }: { upload: Upload; leftClass?: string | undefined }) {
  const { state, file, sent, rate, isHeld, message } = upload;
  if (state === 'waiting') return 'Waiting';
  if (state === 'asking') return 'There is already a file of that name';
  if (state === 'done') return formatSize(file.size);
  if (state === 'failed') return message;
  if (isHeld) return 'Waiting for the connection; it goes on by itself';
  // All bytes were sent, but the storage has not confirmed yet.
  if (sent >= file.size) return 'Storing';
  return (
    <>
      <b>{percentOf(upload)} %</b>
      {rate !== undefined && <span>{formatSize(Math.round(rate))}/s</span>}
      {rate !== undefined && rate > 0 && <span className={leftClass}>{formatDuration((file.size - sent) / rate)} left</span>}
    </>
  );
}
