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
import button from '#/ui/button/Button.module.css';
import field from '#/ui/field/Field.module.css';
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
      classNames: { root: button.button, section: button.section },
    },
    Input: { classNames: { wrapper: field.inputBox, input: field.input } },
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] } satisfies InputWrapperProps,
      classNames: {
        root: field.field,
        label: field.label,
        required: field.required,
        description: field.description,
        error: field.error,
      },
    },
    PasswordInput: { classNames: { input: field.input, section: classes.revealing, visibilityToggle: classes.reveal } },
    Textarea: { classNames: { input: `${field.input} ${field.area}` } },
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
        // Where a menu fits neither above nor below its place, it covers that place rather than leaving the window.
        middlewares: { shift: { crossAxis: true, padding: 8 } },
      } satisfies MenuProps,
      classNames: {
        dropdown: `${classes.dropdown} ${classes.menu}`,
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
