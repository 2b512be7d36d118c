import { QrCode } from '#/ui/QrCode.tsx';
import classes from './shares.module.css';

/** The share's address as a QR code, for a phone across the table. */
export function ShareCode({ url }: { url: string }) {
  return (
    <details className={classes.more}>
      <summary>QR code</summary>
      <div className={classes.code}>
        <QrCode text={url} label="QR code of the address" />
      </div>
    </details>
  );
}
