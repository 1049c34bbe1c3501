/** The service's own page around the component, in German. */
import type { app as english } from '../en/app.js';
import type { Message } from '../en.js';

export const app = {
  'app.document-title': 'Platen: Scannen',
  'app.title': 'Scannen',
  'app.skip': 'Zum Scanner springen',
  'app.reference': 'API-Referenz',
  'app.origins': 'Webseiten, die scannen dürfen',
  'app.language': 'Sprache',
  'app.theme.system': 'Design: wie das System',
  'app.theme.light': 'Design: hell',
  'app.theme.dark': 'Design: dunkel',
  'app.health.unknown': 'Verbindung wird hergestellt…',
  'app.health.well': 'Läuft · {version}',
  'app.health.degraded': 'Desktop-Anwendung nicht verbunden',
  'app.health.away': 'Dienst antwortet nicht',
  'app.tray.label': 'Papierfach von {scanner}',
  'app.tray.drop': 'Ziehen Sie ein Bild hierher,',
  'app.tray.text': 'um es in das Papierfach von {scanner} einzulegen.',
  'app.tray.choose': 'Bilder auswählen',
  'app.tray.put': {
    one: '{count} Bild liegt im Papierfach von {scanner}.',
    other: '{count} Bilder liegen im Papierfach von {scanner}.',
  },
  'app.tray.put-scan': {
    one: '{count} Bild liegt im Papierfach von {scanner}. Klicken Sie auf „Scannen“, um es zu scannen.',
    other: '{count} Bilder liegen im Papierfach von {scanner}. Klicken Sie auf „Scannen“, um sie zu scannen.',
  },
  'app.tray.refused': '„{file}“ wurde nicht eingelegt: {why}',
  'app.tray.more': { one: 'Und {count} weitere Datei.', other: 'Und {count} weitere Dateien.' },
  'app.tray.kind': 'Die Datei ist kein PNG-, JPEG-, TIFF-, WebP- oder GIF-Bild.',
  'app.tray.empty': 'Die Datei ist leer.',
  'app.tray.large': 'Die Datei ist zu groß: Das Papierfach nimmt Bilder bis {size} MiB an.',
} as const satisfies Readonly<Record<keyof typeof english, Message>>;
