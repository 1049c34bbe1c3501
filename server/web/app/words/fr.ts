/** The page's sentences beside the component's, in French. */
import type { Sentences } from './en.js';

export const fr: Sentences = {
  'about.title': 'À propos de ce scanner',
  'about.asking': 'Interrogation de son pilote…',
  'about.manufacturer': 'Fabricant',
  'about.model': 'Modèle',
  'about.state': 'État',
  'about.state.ok': 'Aucun problème connu',
  'about.state.warning': 'Demande votre attention',
  'about.state.failed': 'Ne fonctionne pas',
  'about.nothing': 'Son pilote n’en dit pas plus.',
  'about.away': 'Le service ne répond pas.',
  'licence.ends': 'La licence de {plugin} expire le {day}. Prévenez votre administrateur.',
  'licence.grace':
    'La licence de {plugin} a expiré le {day}. Elle fonctionne encore jusqu’au {end}. Prévenez votre administrateur.',
};
