import { UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import classes from '../TopBar.module.css';

const schemes = [
  { value: 'auto', label: 'System', Icon: IconDeviceDesktop },
  { value: 'light', label: 'Light', Icon: IconSun },
  { value: 'dark', label: 'Dark', Icon: IconMoon },
] as const;

/** Light, dark or the system's theme; stored in this browser. */
export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <div className={classes.theme} role="group" aria-label="Theme">
      Theme
      <span className={classes.segments}>
        {schemes.map(({ value, label, Icon }) => (
          <UnstyledButton
            key={value}
            className={classes.segment}
            role="menuitemradio"
            aria-label={label}
            aria-checked={colorScheme === value}
            title={label}
            onClick={() => setColorScheme(value)}
          >
            <Icon size={16} stroke={1.75} />
          </UnstyledButton>
        ))}
      </span>
    </div>
  );
}
