import { useCallback, useRef, useState } from 'react';

/** Aspect ratios of loaded pictures by address; kept as long as the page. */
const known = new Map<string, number>();

export interface Ratios {
  /** Changes when more ratios are known. */
  readonly version: number;
  readonly of: (thumbnailUrl: string) => number | undefined;
  /** Records the ratio of a loaded picture. */
  readonly note: (thumbnailUrl: string, image: HTMLImageElement) => void;
}

/** Aspect ratios of pictures; those that load in one frame cause one update. */
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
