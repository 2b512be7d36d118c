import { IconMinus, IconPlus, IconRotateClockwise } from '@tabler/icons-react';
import { IconButton } from '#/ui/IconButton.tsx';
import type { Zoom } from './use-zoom.ts';
import classes from '../Preview.module.css';

/** Buttons for zooming out, fitting, zooming in, and rotating. */
export function ZoomTools({ zoom }: { zoom: Zoom }) {
  const { scale } = zoom.look;
  return (
    <div className={classes.zoom} role="group" aria-label="Zoom">
      <IconButton label="Zoom out" onClick={zoom.reduce} disabled={scale === 1}>
        <IconMinus size={18} stroke={1.75} />
      </IconButton>
      <button type="button" className={classes.fit} aria-label="Fit to the window" onClick={zoom.fit}>
        {scale === 1 ? 'Fit' : `${Math.round(scale * 100)}%`}
      </button>
      <IconButton label="Zoom in" onClick={zoom.enlarge}>
        <IconPlus size={18} stroke={1.75} />
      </IconButton>
      <IconButton label="Rotate" onClick={zoom.turn}>
        <IconRotateClockwise size={18} stroke={1.75} />
      </IconButton>
    </div>
  );
}
