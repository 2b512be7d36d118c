import { printable } from './names.ts';

/** Reports a copy's progress on standard error. */
export interface Progress {
  begin(files: number, bytes: number): void;
  /** The current file. */
  at(path: string): void;
  readonly moved: (bytes: number) => void;
  /** One more file has been copied. */
  done(): void;
  remark(path: string, text: string): void;
  complain(path: string, text: string): void;
  /** Clears the line. */
  end(): void;
}

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];

/** Formats bytes in steps of 1024. */
export function formatSize(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** Redraws one line ten times a second on a terminal; elsewhere prints only failures. */
export function createProgress(out: Terminal, now: () => number, { quiet = false } = {}): Progress {
  const isDrawn = out.isTTY === true && !quiet;
  let [files, bytes, filesDone, bytesDone, started, drawn, current] = [0, 0, 0, 0, now(), 0, ''];
  const clear = (): void => void (isDrawn && out.write('\r\u001b[2K'));
  const say = (text: string): void => {
    clear();
    out.write(`${text}\n`);
  };
  const draw = (): void => {
    if (!isDrawn || now() - drawn < 100) return;
    drawn = now();
    const rate = bytesDone / Math.max(1, (now() - started) / 1000);
    const left = rate > 0 ? Math.ceil((bytes - bytesDone) / rate) : 0;
    const line = `${filesDone}/${files} files  ${formatSize(bytesDone)} of ${formatSize(bytes)}  ${formatSize(rate)}/s  ${formatTime(left)} left  ${printable(current)}`;
    out.write(`\r\u001b[2K${line.slice(0, (out.columns ?? 80) - 1)}`);
  };
  return {
    begin(newFiles, newBytes) {
      [files, bytes, filesDone, bytesDone, started] = [newFiles, newBytes, 0, 0, now()];
    },
    at(path) {
      current = path;
      draw();
    },
    moved(more) {
      bytesDone += more;
      draw();
    },
    done() {
      filesDone++;
      draw();
    },
    remark: (path, text) => void (quiet || say(`${printable(path)}: ${text}`)),
    complain: (path, text) => say(`${printable(path)}: ${printable(text)}`),
    end: clear,
  };
}

const formatTime = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
