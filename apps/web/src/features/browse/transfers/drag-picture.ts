import type { Item } from '@sheaf/contract';
import classes from './transfers.module.css';

/** Makes the pointer carry a card with the item's name, or the number of items. */
export function dragPicture(transfer: DataTransfer, items: readonly Item[]): void {
  const card = document.createElement('div');
  card.className = classes.card ?? '';
  const [only] = items;
  card.textContent = items.length === 1 && only ? only.name : `${items.length} items`;
  if (items.length > 1) card.dataset['many'] = '';
  document.body.append(card);
  transfer.setDragImage(card, -8, -4);
  // The browser takes its picture of the card in this turn.
  setTimeout(() => card.remove());
}
