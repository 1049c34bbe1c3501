/** The sentences of the list of keys beside the component's, in Spanish. */
import type { KeySentences } from './en.js';

export const es: KeySentences = {
  'keys.title': 'Atajos de teclado',
  'keys.or': 'o',
  'keys.anywhere': 'En cualquier lugar, salvo en un campo de texto que use la tecla',
  'keys.thumbnail': 'En una miniatura',
  'keys.select': 'Elegir otra página',
  'keys.mark-to': 'Marcar las páginas hasta ahí',
  'keys.mark': 'Marcar o desmarcar la página',
  'keys.mark-all': 'Marcar todas las páginas',
  'keys.move': 'Mover la página, o todas las marcadas',
  'keys.move-area': 'Mover el área',
  'keys.size-area': 'Cambiar el tamaño del área',
  'key.Control': 'Ctrl',
  'key.Shift': 'Mayús',
  'key.Enter': 'Intro',
  'key.Escape': 'Esc',
  'key.Home': 'Inicio',
  'key.End': 'Fin',
  'key.Arrows': 'Flechas',
  'key.Space': 'Espacio',
  'key.Delete': 'Supr',
  'key.PageUp': 'Re Pág',
  'key.PageDown': 'Av Pág',
};
