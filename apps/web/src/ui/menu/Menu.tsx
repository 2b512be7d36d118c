import { Menu as MantineMenu, type MenuProps } from '@mantine/core';
import { useUncontrolled } from '@mantine/hooks';
import { useEscape } from './use-escape.ts';

type Props = Omit<MenuProps, 'defaultOpened' | 'onOpen' | 'onClose'>;

/**
 * Mantine's menu, which hears keys only while it has the focus and gets that a moment after it opens. This one closes
 * by Escape from the first moment on.
 */
function EscapableMenu({ opened, onChange, ...rest }: Props) {
  const [isOpen, setOpen] = useUncontrolled({
    defaultValue: false,
    ...(opened !== undefined && { value: opened }),
    ...(onChange && { onChange }),
  });
  useEscape(isOpen, () => setOpen(false));
  return <MantineMenu {...rest} opened={isOpen} onChange={setOpen} />;
}

export const Menu = Object.assign(EscapableMenu, {
  Target: MantineMenu.Target,
  Dropdown: MantineMenu.Dropdown,
  Item: MantineMenu.Item,
  CheckboxItem: MantineMenu.CheckboxItem,
  Label: MantineMenu.Label,
  Divider: MantineMenu.Divider,
});
