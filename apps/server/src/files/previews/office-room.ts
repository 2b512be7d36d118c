/** Most slides or sheets that are shown. */
export const mostSections = 100;
/** Limits per document: characters shown, and bytes of XML read for them. */
const most = { characters: 500_000, bytes: 32 << 20 } as const;
const longestTitle = 255;
/** Smallest number of characters that a row counts for, because each is displayed as a line. */
const leastOfRow = 20;

export type Room = ReturnType<typeof createRoom>;

/** Remaining budget of one document, over all its parts: a small file can unpack to any length. */
export function createRoom() {
  let { characters, bytes }: { characters: number; bytes: number } = most;
  return {
    /** Whether something was omitted. */
    isFull: (): boolean => characters < 0 || bytes < 0,
    /** Whether this many more bytes may be read. */
    reads: (length: number): boolean => (bytes -= length) >= 0,
    /** Whether this many more characters could be shown. */
    has: (length: number): boolean => length <= characters,
    /** Whether a row of that many characters has room; after the first that has not, none has. */
    takes: (length: number): boolean => (characters -= Math.max(leastOfRow, length)) >= 0,
    /** A section's title, which is always shown. */
    title: (title: string): string => title.slice(0, longestTitle),
  };
}
