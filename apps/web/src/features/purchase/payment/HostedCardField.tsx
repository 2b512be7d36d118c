import { useEffect, useRef } from 'react';
import type { HostedField, HostedFields } from '#/features/purchase/tokenizer/tokenizer.ts';
import classes from '../purchase.module.css';

type Props = { hosted: HostedFields; field: HostedField; label: string; placeholder: string };

/** A field that the card service renders in its own frame. */
export function HostedCardField({ hosted, field, label, placeholder }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => (place.current ? hosted.attach(field, place.current, placeholder) : undefined), [hosted, field, placeholder]);
  return (
    <div className={classes.hostedField} role="group" aria-label={label}>
      <span aria-hidden="true">{label}</span>
      <div ref={place} className={classes.hosted} data-field={field} />
    </div>
  );
}
