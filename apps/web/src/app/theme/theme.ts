import {
  type ButtonProps,
  type CheckboxProps,
  type InputWrapperProps,
  type MenuProps,
  type PopoverProps,
  type SelectProps,
  createTheme,
} from '@mantine/core';
import './layers.css';
import './library-styles.ts';
import './tokens.css';
import './library.css';
import './ground.css';
import classes from './controls.module.css';

const still = { duration: 0 } as const;

/**
 * The component library with our classes over its behaviour. Components are referenced by name, not imported, so that only those on the first screen
 * are in the first script.
 */
export const theme = createTheme({
  fontFamily: 'var(--font)',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    Button: {
      defaultProps: { variant: 'default' } satisfies ButtonProps,
      classNames: { root: classes.button, section: classes.section },
    },
    Input: { classNames: { wrapper: classes.inputBox, input: classes.input } },
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] } satisfies InputWrapperProps,
      classNames: {
        root: classes.field,
        label: classes.label,
        required: classes.required,
        description: classes.description,
        error: classes.error,
      },
    },
    PasswordInput: { classNames: { input: classes.input } },
    Textarea: { classNames: { input: `${classes.input} ${classes.area}` } },
    Select: {
      defaultProps: {
        allowDeselect: false,
        checkIconPosition: 'right',
        comboboxProps: { transitionProps: still },
      } satisfies SelectProps<string>,
      classNames: { dropdown: classes.dropdown, option: classes.option },
    },
    Menu: {
      defaultProps: {
        transitionProps: still,
        offset: 4,
        position: 'bottom-end',
        width: 'max-content',
        withInitialFocusPlaceholder: false,
      } satisfies MenuProps,
      classNames: {
        dropdown: classes.dropdown,
        item: classes.menuItem,
        itemSection: classes.menuSection,
        label: classes.menuLabel,
        divider: classes.menuDivider,
      },
    },
    Popover: { defaultProps: { transitionProps: still } satisfies PopoverProps, classNames: { dropdown: classes.dropdown } },
    Checkbox: {
      defaultProps: { size: '16px' } satisfies CheckboxProps,
      classNames: { input: classes.check, icon: classes.checkIcon, label: classes.checkLabel },
    },
  },
});
