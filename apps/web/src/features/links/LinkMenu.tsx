import { IconChartTreemap, IconPencil, IconPlugConnected, IconShare, IconUnlink } from '@tabler/icons-react';
import { withQuery } from '#/lib/http/form-body.ts';
import { askToShare } from '#/lib/sharing/share-request.ts';
import { AnchoredMenu } from '#/ui/menu/AnchoredMenu.tsx';
import { Menu } from '#/ui/menu/Menu.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { type Link, mayShare, mayUnlink } from './rows.ts';

type Props = { link: Link; onEdit: () => void; onUnlink: () => void; onClose: () => void };

/** The open menu of a link's row. */
export function LinkMenu({ link, onEdit, onUnlink, onClose }: Props) {
  return (
    <AnchoredMenu label={`Menu of ${link.name}`} onClose={onClose}>
      <Menu.Item leftSection={<IconPencil size={18} stroke={1.75} />} onClick={onEdit}>
        Edit
      </Menu.Item>
      {mayShare(link) && (
        <Menu.Item
          leftSection={<IconShare size={18} stroke={1.75} />}
          onClick={() => askToShare({ linkUri: link.linkUri, path: link.name, fileType: 'FOLDER' })}
        >
          Share
        </Menu.Item>
      )}
      <Menu.Item
        component={PathLink}
        href={withQuery('/usage', { linkUri: link.linkUri })}
        leftSection={<IconChartTreemap size={18} stroke={1.75} />}
      >
        Usage
      </Menu.Item>
      <Menu.Item component={PathLink} leftSection={<IconPlugConnected size={18} stroke={1.75} />} href={`/connect/${link.userLinkId}`}>
        Connect
      </Menu.Item>
      {mayUnlink(link) && (
        <Menu.Item data-danger leftSection={<IconUnlink size={18} stroke={1.75} />} onClick={onUnlink}>
          Unlink
        </Menu.Item>
      )}
    </AnchoredMenu>
  );
}
