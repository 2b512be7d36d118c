import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { isConverted } from '#/lib/files/preview-kind.ts';
import type { Previewed } from '#/lib/files/previewing.ts';
import type { Zoom } from './use-zoom.ts';
import classes from '../Preview.module.css';

type Props = {
  file: Previewed;
  zoom: Zoom;
  onDimensions: (width: number, height: number) => void;
  /** Shown when the picture cannot be. */
  fallback: ReactNode;
};

/** Size of thumbnails that replace pictures which browsers cannot show. */
const largestPicture = 2048;

/** A picture: its thumbnail at once, then the file. Wheel, pinch and double click zoom, dragging pans. */
export function ImageView({ file, zoom, onDimensions, fallback }: Props) {
  const { ref, width, height } = useElementSize();
  const stage = useRef<HTMLDivElement>(null);
  const fingers = useRef(new Map<number, { x: number; y: number }>());
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  const { look, scaleAt } = zoom;
  const isSideways = look.turns % 2 !== 0;
  const small = file.thumbnailUrl === undefined ? undefined : `${file.thumbnailUrl}&size=432`;
  const src = isConverted(file) ? `${file.thumbnailUrl}&size=${largestPicture}` : `${file.href}&inline=true`;

  /** Pixels from the centre of the stage. */
  const fromMiddle = (x: number, y: number): [number, number] => {
    const box = stage.current?.getBoundingClientRect();
    return box ? [x - box.left - box.width / 2, y - box.top - box.height / 2] : [0, 0];
  };

  useEffect(() => {
    const element = stage.current;
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      scaleAt(Math.exp(-event.deltaY / 400), ...fromMiddle(event.clientX, event.clientY));
    };
    // React's wheel listeners are passive and cannot prevent scrolling.
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [scaleAt]);

  const onMove = (event: PointerEvent): void => {
    const before = fingers.current.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const [other] = [...fingers.current].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    fingers.current.set(event.pointerId, now);
    if (!other) return zoom.move(now.x - before.x, now.y - before.y);
    const apart = (at: { x: number; y: number }): number => Math.hypot(at.x - other.x, at.y - other.y);
    scaleAt(apart(now) / Math.max(1, apart(before)), ...fromMiddle((now.x + other.x) / 2, (now.y + other.y) / 2));
  };
  const onEnd = ({ pointerId }: PointerEvent): void => void fingers.current.delete(pointerId);

  if (state === 'failed') return fallback;
  const transform = `translate(${look.x}px, ${look.y}px) scale(${look.scale}) rotate(${look.turns * 90}deg)`;
  // A rotated picture fits when it is as wide as the stage is high.
  const fit = isSideways && width > 0 ? { maxWidth: height, maxHeight: width } : {};
  return (
    <div
      ref={stage}
      className={classes.picture}
      data-enlarged={look.scale > 1 || undefined}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      }}
      onPointerMove={onMove}
      onPointerUp={onEnd}
      onPointerCancel={onEnd}
      onDoubleClick={(event) => {
        if (look.scale > 1) zoom.fit();
        else scaleAt(2.5, ...fromMiddle(event.clientX, event.clientY));
      }}
    >
      <div ref={ref} className={classes.frame}>
        {state === 'loading' && small !== undefined && <img className={classes.soon} src={small} alt="" draggable={false} />}
        <img
          className={classes.image}
          src={src}
          alt={file.name}
          style={{ transform, ...fit }}
          draggable={false}
          onLoad={({ currentTarget }) => {
            setState('shown');
            if (!isConverted(file)) onDimensions(currentTarget.naturalWidth, currentTarget.naturalHeight);
          }}
          onError={() => setState('failed')}
        />
      </div>
    </div>
  );
}
