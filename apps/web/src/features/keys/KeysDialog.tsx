import { Dialog } from '#/ui/dialog/Dialog.tsx';
import classes from './KeysDialog.module.css';

const groups: readonly { readonly title: string; readonly keys: readonly (readonly [keys: readonly string[], what: string])[] }[] = [
  {
    title: 'Everywhere',
    keys: [
      [['Ctrl K', '/'], 'Search every link'],
      [['?'], 'Show these keys'],
    ],
  },
  {
    title: 'In a folder',
    keys: [
      [['↑', '↓', 'Home', 'End'], 'Move, and select'],
      [['Shift ↑', 'Shift ↓'], 'Select a range'],
      [['Ctrl Space'], 'Select or deselect'],
      [['Ctrl A'], 'Select everything'],
      [['Enter'], 'Open'],
      [['Space'], 'Quick look'],
      [['Backspace', 'Alt ↑'], 'Go to the folder above'],
      [['Alt ←', 'Alt →'], 'Go back, forward'],
      [['Alt N'], 'New folder'],
      [['Alt I'], 'Details beside the list'],
      [['Ctrl C', 'Ctrl X', 'Ctrl V'], 'Copy, cut, paste'],
      [['Shift F10'], 'Show the menu'],
      [['F2'], 'Rename'],
      [['Delete'], 'Delete'],
      [['Ctrl Z', 'Ctrl Shift Z'], 'Undo, do again'],
      [['Esc'], 'Deselect'],
      [['A–Z'], 'Jump to a name'],
    ],
  },
  {
    title: 'In the search',
    keys: [
      [['↑', '↓'], 'Move'],
      [['Enter'], 'Open'],
      [['Alt Enter'], 'Show in its folder'],
    ],
  },
];

/** The keys of the app. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" wide onClose={onClose}>
      <div className={classes.groups}>
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3 className={classes.title}>{title}</h3>
            <dl className={classes.keys}>
              {keys.map(([names, what]) => (
                <div key={what}>
                  <dt>
                    {names.map((name) => (
                      <kbd key={name}>{name}</kbd>
                    ))}
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
