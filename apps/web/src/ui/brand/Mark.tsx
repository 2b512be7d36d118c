import { useBrand } from './brand.ts';
import classes from './Mark.module.css';

/** The installation's logo: its operator's, or three stalks bound by one band. */
export function Mark({ size = 24 }: { size?: number }) {
  const { logo } = useBrand();
  if (logo !== undefined) return <img className={classes.mark} src={logo} width={size} height={size} alt="" />;
  return (
    <svg className={classes.mark} width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <path
        className={classes.stalk}
        d="M16 1.5C19.2 6 19 11.4 18.1 16.6H13.9C13 11.4 12.8 6 16 1.5ZM3 5.4C9.8 6.6 12.8 11 12.6 16.6H8.7C8.3 12.4 4.9 10 3 5.4ZM29 5.4C22.2 6.6 19.2 11 19.4 16.6H23.3C23.7 12.4 27.1 10 29 5.4ZM13.9 23.5H18.1V30H13.9ZM8.7 23.5H12.6L11.2 30H6.6C7.7 28 8.4 25.8 8.7 23.5ZM23.3 23.5H19.4L20.8 30H25.4C24.3 28 23.6 25.8 23.3 23.5Z"
      />
      <rect className={classes.band} x="7" y="18" width="18" height="4" rx="2" />
    </svg>
  );
}
