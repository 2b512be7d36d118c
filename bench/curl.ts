import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run, tempDir } from '@sheaf/testbed';

interface Options {
  readonly headers?: Readonly<Record<string, string>>;
  /** Further options of curl's, such as a login. */
  readonly more?: readonly string[];
}

/** What curl has to say of a transfer. */
export interface Transfer {
  readonly seconds: number;
  readonly bytes: number;
}

let line: readonly string[] = [];
/** Has all clients from now on send and fetch at most so many bytes a second, as over a line of that speed. */
export function limitLine(bytesPerSecond: number): void {
  line = ['--limit-rate', String(bytesPerSecond)];
}

const common = ['--silent', '--show-error', '--globoff', '--header', 'Expect:'];

/** Fetches an address and throws the bytes away. Rejects unless `bytes` of them come; absent: unless any do. */
export async function fetchAway(url: string, bytes?: number, options: Options = {}): Promise<Transfer> {
  return transfer([...common, '--output', '/dev/null', ...flags(options), url], bytes, 'size_download');
}

/** Sends a file to an address. Rejects unless the server takes it. */
export async function send(file: string, url: string, bytes: number, options: Options = {}): Promise<Transfer> {
  return transfer([...common, '--output', '/dev/null', '--upload-file', file, ...flags(options), url], bytes, 'size_upload');
}

/** An answer with its text: seconds until its first byte and until its last. Rejects for a refusal. */
export async function exchange(
  url: string,
  more: readonly string[],
): Promise<{ readonly seconds: number; readonly first: number; readonly text: string }> {
  const folder = await tempDir('bench-answer');
  try {
    const file = join(folder.path, 'body');
    const written = ['--output', file, '--write-out', '%{response_code} %{time_starttransfer} %{time_total}'];
    const said = await run('curl', [...common, ...written, ...more, url]);
    const [status = 0, first = 0, seconds = 0] = said.split(' ').map(Number);
    const text = await readFile(file, 'utf8');
    if (status >= 300) throw new Error(`${status} from ${url}: ${text}`);
    return { seconds, first, text };
  } finally {
    await folder.remove();
  }
}

const flags = ({ headers = {}, more = [] }: Options): string[] => [
  ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
  ...more,
];

async function transfer(args: readonly string[], expected: number | undefined, size: 'size_download' | 'size_upload'): Promise<Transfer> {
  const text = await run('curl', [...line, '--write-out', `%{response_code} %{${size}} %{time_total}`, ...args]);
  const [status = 0, bytes = 0, seconds = 0] = text.split(' ').map(Number);
  if (status >= 300 || (expected === undefined ? bytes === 0 : bytes !== expected))
    throw new Error(`curl moved ${bytes} of ${expected ?? 'some'} bytes, status ${status}`);
  return { seconds, bytes };
}
