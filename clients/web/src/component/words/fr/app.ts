/** The service's own page around the component, in French. */
import type { app as english } from '../en/app.js';
import type { Message } from '../en.js';

export const app = {
  'app.document-title': 'Platen : numériser',
  'app.title': 'Numériser',
  'app.skip': 'Aller au scanner',
  'app.reference': 'Référence de l’API',
  'app.origins': 'Pages web autorisées',
  'app.language': 'Langue',
  'app.theme.system': 'Thème : comme le système',
  'app.theme.light': 'Thème : clair',
  'app.theme.dark': 'Thème : sombre',
  'app.health.unknown': 'Connexion…',
  'app.health.well': 'En marche · {version}',
  'app.health.degraded': 'Application de bureau déconnectée',
  'app.health.away': 'Le service ne répond pas',
  'app.tray.label': 'Bac du scanner {scanner}',
  'app.tray.drop': 'Déposez une image ici',
  'app.tray.text': 'pour la placer dans le bac du scanner {scanner}.',
  'app.tray.choose': 'Choisir des images',
  'app.tray.put': {
    one: '{count} image dans le bac du scanner {scanner}.',
    many: '{count} d’images dans le bac du scanner {scanner}.',
    other: '{count} images dans le bac du scanner {scanner}.',
  },
  'app.tray.put-scan': {
    one: '{count} image dans le bac du scanner {scanner}. Cliquez sur « Numériser » pour la numériser.',
    many: '{count} d’images dans le bac du scanner {scanner}. Cliquez sur « Numériser » pour les numériser.',
    other: '{count} images dans le bac du scanner {scanner}. Cliquez sur « Numériser » pour les numériser.',
  },
  'app.tray.refused': '« {file} » n’a pas été placé dans le bac : {why}',
  'app.tray.more': { one: 'Et {count} autre.', many: 'Et {count} d’autres.', other: 'Et {count} autres.' },
  'app.tray.kind': 'ce n’est pas une image PNG, JPEG, TIFF, WebP ou GIF.',
  'app.tray.empty': 'le fichier est vide.',
  'app.tray.large': 'le fichier est trop volumineux ; le bac accepte des images de {size} Mio au plus.',
} as const satisfies Readonly<Record<keyof typeof english, Message>>;
