/** The page's sentences beside the component's, in German. */
import type { Sentences } from './en.js';

export const de: Sentences = {
  'about.title': 'Über diesen Scanner',
  'about.asking': 'Der Treiber wird gefragt…',
  'about.manufacturer': 'Hersteller',
  'about.model': 'Modell',
  'about.state': 'Zustand',
  'about.state.ok': 'Kein Problem bekannt',
  'about.state.warning': 'Braucht Aufmerksamkeit',
  'about.state.failed': 'Funktioniert nicht',
  'about.nothing': 'Der Treiber teilt sonst nichts über ihn mit.',
  'about.away': 'Der Dienst antwortet nicht.',
  'licence.ends': 'Die Lizenz von {plugin} endet am {day}. Sagen Sie Ihrer Administration Bescheid.',
  'licence.grace':
    'Die Lizenz von {plugin} ist am {day} abgelaufen. Sie gilt noch bis {end}. Sagen Sie Ihrer Administration Bescheid.',
};
