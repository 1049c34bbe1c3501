/** The page's sentences beside the component's, in English, which has every key. */
import type { Message } from '@platen/client/words';

export type Key = keyof typeof en;

export type Sentences = Readonly<Record<Key, Message>>;
export const en = {
  'about.title': 'About this scanner',
  'about.asking': 'Asking its driver…',
  'about.manufacturer': 'Manufacturer',
  'about.model': 'Model',
  'about.state': 'State',
  'about.state.ok': 'No problem is known',
  'about.state.warning': 'Needs attention',
  'about.state.failed': 'Does not work',
  'about.nothing': 'Its driver tells nothing else of it.',
  'about.away': 'The service does not answer.',
  'licence.ends': 'The license of {plugin} ends on {day}. Tell your administrator.',
  'licence.grace': 'The license of {plugin} ended on {day}. It still works until {end}. Tell your administrator.',
} as const;
