/** The sentences of the list of keys beside the component's, in Portuguese. */
import type { KeySentences } from './en.js';

export const pt: KeySentences = {
  'keys.title': 'Atalhos de teclado',
  'keys.or': 'ou',
  'keys.anywhere': 'Em qualquer lugar, exceto em um campo de texto que use a tecla',
  'keys.thumbnail': 'Em uma miniatura',
  'keys.select': 'Escolher outra página',
  'keys.mark-to': 'Marcar as páginas até lá',
  'keys.mark': 'Marcar ou desmarcar a página',
  'keys.mark-all': 'Marcar todas as páginas',
  'keys.move': 'Mover a página, ou todas as marcadas',
  'keys.move-area': 'Mover a área',
  'keys.size-area': 'Mudar o tamanho da área',
  'key.Control': 'Ctrl',
  'key.Shift': 'Shift',
  'key.Enter': 'Enter',
  'key.Escape': 'Esc',
  'key.Home': 'Home',
  'key.End': 'End',
  'key.Arrows': 'Setas',
  'key.Space': 'Espaço',
  'key.Delete': 'Delete',
  'key.PageUp': 'Page Up',
  'key.PageDown': 'Page Down',
};
