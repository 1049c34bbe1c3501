/** The sentences of the list of keys beside the component's, in German. */
import type { KeySentences } from './en.js';

export const de: KeySentences = {
  'keys.title': 'Tastenkürzel',
  'keys.or': 'oder',
  'keys.anywhere': 'Überall, außer in einem Textfeld, das die Taste selbst braucht',
  'keys.thumbnail': 'Auf einer Miniatur',
  'keys.select': 'Andere Seite auswählen',
  'keys.mark-to': 'Seiten bis dorthin markieren',
  'keys.mark': 'Seite markieren oder nicht mehr markieren',
  'keys.mark-all': 'Alle Seiten markieren',
  'keys.move': 'Seite oder alle markierten Seiten verschieben',
  'keys.move-area': 'Bereich verschieben',
  'keys.size-area': 'Größe des Bereichs ändern',
  'key.Control': 'Strg',
  'key.Shift': 'Umschalt',
  'key.Enter': 'Eingabe',
  'key.Escape': 'Esc',
  'key.Home': 'Pos1',
  'key.End': 'Ende',
  'key.Arrows': 'Pfeiltasten',
  'key.Space': 'Leertaste',
  'key.Delete': 'Entf',
  'key.PageUp': 'Bild auf',
  'key.PageDown': 'Bild ab',
};
