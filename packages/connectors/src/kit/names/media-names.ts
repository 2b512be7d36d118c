/** Parts of the name of a picture or video, at services without file names. */
export interface MediaFacts {
  readonly id: string;
  /** Epoch seconds. */
  readonly created: number | undefined;
  /** The caption, if any. */
  readonly text: string | undefined;
  /** Includes the dot; empty for a folder. */
  readonly extension: string;
}

/** Maximum bytes of the caption in a name: with date, id and extension it stays within the limits of other sources. */
const mostBytes = 100;
const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Returns `2026-04-06 Sunset at the lake 10150004552801856.jpg`: sorts by day, describes the content, and is unique. */
export function mediaName({ id, created, text, extension }: MediaFacts): string {
  const day = created === undefined ? '' : new Date(created * 1000).toISOString().slice(0, 10);
  return `${[day, words(text), id].filter((part) => part !== '').join(' ')}${extension}`;
}

/** Returns the id in such a name. */
export const idOfMediaName = (name: string): string | undefined => /(?:^| )(\d+)(?:\.[a-z0-9]+)?$/.exec(name)?.[1];

/** Returns the first line of a text, cut to fit. */
function words(text = ''): string {
  const line = text.split(/[\r\n]+/).find((one) => one.trim() !== '') ?? '';
  let bytes = 0;
  let kept = '';
  for (const { segment } of letters.segment(
    line
      .replaceAll(/[\p{Cc}\p{Cs}/\\]+/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )) {
    bytes += Buffer.byteLength(segment);
    if (bytes > mostBytes) break;
    kept += segment;
  }
  return kept.trim();
}

/** Returns the extension in a URL, if it is one of these. */
export function extensionOf(address: string | undefined, known: readonly string[], preset: string): string {
  const found = /\.[a-z0-9]+$/i.exec(URL.parse(address ?? '')?.pathname ?? '')?.[0].toLowerCase();
  return found !== undefined && known.includes(found) ? found : preset;
}

/** Parses Meta's times, such as `2017-04-06T22:03:54+0000`, to epoch seconds. */
export function graphTime(text: string | null | undefined): number | undefined {
  const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)([+-]\d\d):?(\d\d)$|^.+Z$/.exec(text ?? '');
  if (!found) return undefined;
  const ms = Date.parse(found[1] === undefined ? found[0] : `${found[1]}${found[2]}:${found[3]}`);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}
