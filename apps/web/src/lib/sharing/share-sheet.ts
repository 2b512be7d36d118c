import { fetchFile } from '#/lib/http/fetch-file.ts';

/** Largest file that is handed to the share sheet, in bytes: the browser holds all of it in memory. */
export const largestSent = 100 * 1024 * 1024;

/** The file that was fetched last: where fetching took longer than the press counts, the next press shares it at once. */
let fetched: { readonly href: string; readonly file: File } | undefined;

/** What became of a press: it was passed on or closed, another press is needed, or the device takes no such file. */
export type Sent = 'done' | 'pressAgain' | 'refused';

/** Whether this browser can show the system's share sheet: on phones, and only over https. */
export const hasShareSheet = (): boolean => typeof navigator.share === 'function';

/** Whether the sheet takes files at all. */
export const sheetTakesFiles = (): boolean =>
  hasShareSheet() &&
  typeof navigator.canShare === 'function' &&
  navigator.canShare({ files: [new File(['a'], 'a.txt', { type: 'text/plain' })] });

/** Shows the sheet; whoever closes it has decided. */
async function show(data: ShareData): Promise<Sent> {
  try {
    await navigator.share(data);
    return 'done';
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    if (error.name === 'AbortError') return 'done';
    if (error.name === 'NotAllowedError') return 'pressAgain';
    return 'refused';
  }
}

/** Passes an address on. */
export const sendLink = (url: string, title: string): Promise<Sent> => show({ url, title });

/** Passes a file on, with its bytes. Rejects with a CallError when they cannot be fetched. */
export async function sendFile(href: string, name: string): Promise<Sent> {
  if (fetched?.href !== href) {
    const bytes = await (await fetchFile(href)).blob();
    fetched = { href, file: new File([bytes], name, { type: bytes.type }) };
  }
  const { file } = fetched;
  const sent = navigator.canShare({ files: [file] }) ? await show({ files: [file] }) : 'refused';
  if (sent !== 'pressAgain') fetched = undefined;
  return sent;
}
