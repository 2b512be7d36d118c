import { type ReactNode, useState } from 'react';

type Props = {
  /** Address of the thumbnail without its size; undefined when the file has none. */
  thumbnailUrl: string | undefined;
  /** Edge of the thumbnail in device pixels. */
  size: number;
  /** Shown when there is no thumbnail, or it cannot be loaded. */
  instead: ReactNode;
  className?: string | undefined;
  /** Loads at once even when it is not in view. */
  isEager?: boolean;
  onLoad?: (picture: HTMLImageElement) => void;
  /** Shown beside a thumbnail only. */
  caption?: ReactNode;
};

/** A file's thumbnail. Decorative: the name is next to it. */
export function FilePicture({ thumbnailUrl, size, instead, className, isEager = false, onLoad, caption }: Props) {
  const [failed, setFailed] = useState<string>();
  if (thumbnailUrl === undefined || failed === thumbnailUrl) return instead;
  return (
    <>
      <img
        className={className}
        src={`${thumbnailUrl}&size=${size}`}
        alt=""
        loading={isEager ? undefined : 'lazy'}
        decoding="async"
        draggable={false}
        onLoad={({ currentTarget }) => onLoad?.(currentTarget)}
        onError={() => setFailed(thumbnailUrl)}
      />
      {caption}
    </>
  );
}
