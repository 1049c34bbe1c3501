/** The sentences of the list of keys beside the component's, in French. */
import type { KeySentences } from './en.js';

export const fr: KeySentences = {
  'keys.title': 'Raccourcis clavier',
  'keys.or': 'ou',
  'keys.anywhere': 'Partout, sauf dans un champ de texte qui utilise la touche',
  'keys.thumbnail': 'Sur une miniature',
  'keys.select': 'Choisir une autre page',
  'keys.mark-to': 'Cocher les pages jusque-là',
  'keys.mark': 'Cocher ou décocher la page',
  'keys.mark-all': 'Cocher toutes les pages',
  'keys.move': 'Déplacer la page, ou toutes celles qui sont cochées',
  'keys.move-area': 'Déplacer la zone',
  'keys.size-area': 'Changer la taille de la zone',
  'key.Control': 'Ctrl',
  'key.Shift': 'Maj',
  'key.Enter': 'Entrée',
  'key.Escape': 'Échap',
  'key.Home': 'Début',
  'key.End': 'Fin',
  'key.Arrows': 'Flèches',
  'key.Space': 'Espace',
  'key.Delete': 'Suppr',
  'key.PageUp': 'Page préc.',
  'key.PageDown': 'Page suiv.',
};
