import { useComputedColorScheme } from '@mantine/core';
import dark from './product-dark.webp';
import light from './product-light.webp';
import classes from './StartPage.module.css';

/** Sheaf with a dozen storages linked, in the visitor's theme. */
export function ProductPicture() {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  return (
    <div className={classes.frame}>
      <img
        className={classes.picture}
        src={scheme === 'dark' ? dark : light}
        width={1600}
        height={1003}
        alt="The page My links in Sheaf: Amazon S3, B2, Box, Dropbox, FTP and Google Drive under one another, each with its account and when it was last checked."
      />
    </div>
  );
}
