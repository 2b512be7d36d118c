/** Slides or sheets that are shown at most. */
export const mostSections = 100;
/** Of one document: characters that are shown at most, and bytes of XML that are read for them. */
const most = { characters: 500_000, bytes: 32 << 20 } as const;
const longestTitle = 255;
/** Characters for which a row counts at least: what shows it must make a line of it. */
const leastOfRow = 20;

export type Room = ReturnType<typeof createRoom>;

/** What may still be read and shown of one document, all its parts together: a small file can unpack to any length. */
export function createRoom() {
  let { characters, bytes }: { characters: number; bytes: number } = most;
  return {
    /** Whether something was left out. */
    isFull: (): boolean => characters < 0 || bytes < 0,
    /** Whether so many bytes more may be read. */
    reads: (length: number): boolean => (bytes -= length) >= 0,
    /** Whether so many characters could still be shown. */
    has: (length: number): boolean => length <= characters,
    /** Whether a row of so many characters still has room; once one has none, none after it has. */
    takes: (length: number): boolean => (characters -= Math.max(leastOfRow, length)) >= 0,
    /** A section's title, which is shown whatever room there is. */
    title: (title: string): string => title.slice(0, longestTitle),
  };
}
