import { UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { textAt } from '#/features/links/dialogs/failures.ts';
import type { LinkForm } from '#/features/links/dialogs/use-link-form.ts';
import { DialogFields, DialogPair } from '#/ui/dialog/Dialog.tsx';
import type { Field } from './field.ts';
import { firstToFill } from './form-values.ts';
import { LinkField } from './LinkField.tsx';
import classes from '../dialogs.module.css';

type Props = { fields: readonly Field[]; linkForm: LinkForm };

/** The fields of a dialog's page in order; the advanced ones are collapsed with their values visible. */
export function LinkFields({ fields, linkForm }: Props) {
  const { form, values, failure } = linkForm;
  const [first] = useState(() => firstToFill(fields, values));
  const [unfolded, setUnfolded] = useState(false);
  const folded = useId();
  const plain = fields.filter(({ advanced }) => advanced !== true);
  const advanced = fields.filter((field) => field.advanced === true);
  const isOpen = unfolded || advanced.some(({ name }) => name === failure?.field);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;

  // Focuses the invalid field, so that a screen reader reads it with its error.
  const root = useRef<HTMLDivElement>(null);
  const wrong = failure?.field;
  useEffect(() => {
    if (wrong !== undefined) root.current?.querySelector<HTMLElement>(`[name="${CSS.escape(wrong)}"]`)?.focus();
  }, [wrong]);

  const draw = (field: Field): ReactNode => (
    <LinkField
      key={field.name}
      field={field}
      value={values[field.name] ?? ''}
      error={textAt(failure, field.name)}
      disabled={linkForm.busy}
      autoFocus={field.name === first}
      onChange={(value) => linkForm.change(field.name, value)}
    />
  );

  return (
    <div ref={root} className={classes.fields}>
      <DialogFields>
        {rowsOf(plain).map((row) => drawRow(row, draw))}
        {advanced.length > 0 && (
          <>
            <UnstyledButton className={classes.fold} aria-expanded={isOpen} aria-controls={folded} onClick={() => setUnfolded(!isOpen)}>
              <Chevron size={14} stroke={2} aria-hidden="true" />
              Advanced
              {!isOpen && <span className={classes.summary}>{form.summary?.(values)}</span>}
            </UnstyledButton>
            {isOpen && (
              <div id={folded} className={classes.folded}>
                {rowsOf(advanced).map((row) => drawRow(row, draw, AdvancedPair))}
              </div>
            )}
          </>
        )}
      </DialogFields>
    </div>
  );
}

/** Groups fields of half a row in pairs. */
function rowsOf(fields: readonly Field[]): (readonly Field[])[] {
  const rows: Field[][] = [];
  for (const field of fields) {
    const last = rows.at(-1);
    if (field.half === true && last?.length === 1 && last[0]?.half === true) last.push(field);
    else rows.push([field]);
  }
  return rows;
}

type Pair = (props: { children: ReactNode }) => ReactNode;

const AdvancedPair: Pair = ({ children }) => <div className={classes.narrowFirst}>{children}</div>;

function drawRow(row: readonly Field[], draw: (field: Field) => ReactNode, Pair: Pair = DialogPair): ReactNode {
  return row.length === 2 ? <Pair key={row[0]?.name}>{row.map(draw)}</Pair> : row.map(draw);
}
