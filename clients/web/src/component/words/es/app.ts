/** The service's own page around the component, in Spanish. */
import type { app as english } from '../en/app.js';
import type { Message } from '../en.js';

export const app = {
  'app.document-title': 'Platen: escanear',
  'app.title': 'Escanear',
  'app.skip': 'Ir al escáner',
  'app.reference': 'Referencia de la API',
  'app.origins': 'Páginas web permitidas',
  'app.language': 'Idioma',
  'app.theme.system': 'Tema: como el sistema',
  'app.theme.light': 'Tema: claro',
  'app.theme.dark': 'Tema: oscuro',
  'app.health.unknown': 'Conectando…',
  'app.health.well': 'En marcha · {version}',
  'app.health.degraded': 'Aplicación de escritorio desconectada',
  'app.health.away': 'El servicio no responde',
  'app.tray.label': 'Bandeja de {scanner}',
  'app.tray.drop': 'Suelte aquí una imagen',
  'app.tray.text': 'para colocarla en la bandeja de {scanner}.',
  'app.tray.choose': 'Elegir imágenes',
  'app.tray.put': {
    one: '{count} imagen en la bandeja de {scanner}.',
    many: '{count} de imágenes en la bandeja de {scanner}.',
    other: '{count} imágenes en la bandeja de {scanner}.',
  },
  'app.tray.put-scan': {
    one: '{count} imagen en la bandeja de {scanner}. Haga clic en «Escanear» para escanearla.',
    many: '{count} de imágenes en la bandeja de {scanner}. Haga clic en «Escanear» para escanearlas.',
    other: '{count} imágenes en la bandeja de {scanner}. Haga clic en «Escanear» para escanearlas.',
  },
  'app.tray.refused': 'No se pudo colocar «{file}» en la bandeja: {why}',
  'app.tray.more': { one: 'Y {count} más.', many: 'Y {count} de más.', other: 'Y {count} más.' },
  'app.tray.kind': 'no es una imagen PNG, JPEG, TIFF, WebP o GIF.',
  'app.tray.empty': 'el archivo está vacío.',
  'app.tray.large': 'el archivo es demasiado grande; la bandeja admite imágenes de hasta {size} MiB.',
} as const satisfies Readonly<Record<keyof typeof english, Message>>;
