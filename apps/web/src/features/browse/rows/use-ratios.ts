import { useCallback, useRef, useState } from 'react';

/** Width to height of pictures that have been seen, by their address; kept as long as the page. */
const known = new Map<string, number>();

export interface Ratios {
  /** Changes when more is known. */
  readonly version: number;
  readonly of: (thumbnailUrl: string) => number | undefined;
  /** Notes the shape of a picture that has arrived. */
  readonly note: (thumbnailUrl: string, image: HTMLImageElement) => void;
}

/** The shapes of pictures; those that arrive in one frame are told together. */
export function useRatios(): Ratios {
  const [version, setVersion] = useState(0);
  const frame = useRef(0);
  const note = useCallback((thumbnailUrl: string, { naturalWidth, naturalHeight }: HTMLImageElement) => {
    if (known.has(thumbnailUrl) || naturalHeight === 0) return;
    known.set(thumbnailUrl, naturalWidth / naturalHeight);
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => setVersion((now) => now + 1));
  }, []);
  return { version, of: (thumbnailUrl) => known.get(thumbnailUrl), note };
}
