import type { DrawnBox } from './use-box-select.ts';
import classes from './SelectionBox.module.css';

/** The box under way, within the rows, and the number of touched items at the pointer. */
export function SelectionBox({ drawn: { box, x, y, count } }: { drawn: DrawnBox }) {
  return (
    <>
      <div
        className={classes.box}
        aria-hidden="true"
        data-selection-box=""
        style={{ left: box.left, top: box.top, width: box.right - box.left, height: box.bottom - box.top }}
      />
      {count > 0 && (
        <span className={classes.count} aria-hidden="true" style={{ left: x + 12, top: y + 2 }}>
          {count}
        </span>
      )}
    </>
  );
}
