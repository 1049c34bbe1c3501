/** The service's own page around the component, in Portuguese. */
import type { app as english } from '../en/app.js';
import type { Message } from '../en.js';

export const app = {
  'app.document-title': 'Platen: digitalizar',
  'app.title': 'Digitalizar',
  'app.skip': 'Ir para o scanner',
  'app.reference': 'Referência da API',
  'app.origins': 'Páginas da web permitidas',
  'app.language': 'Idioma',
  'app.theme.system': 'Tema: como o sistema',
  'app.theme.light': 'Tema: claro',
  'app.theme.dark': 'Tema: escuro',
  'app.health.unknown': 'Conectando…',
  'app.health.well': 'Em execução · {version}',
  'app.health.degraded': 'Aplicativo de desktop desconectado',
  'app.health.away': 'O serviço não responde',
  'app.tray.label': 'Bandeja de {scanner}',
  'app.tray.drop': 'Solte uma imagem aqui',
  'app.tray.text': 'para colocá-la na bandeja de {scanner}.',
  'app.tray.choose': 'Escolher imagens',
  'app.tray.put': {
    one: '{count} imagem na bandeja de {scanner}.',
    many: '{count} de imagens na bandeja de {scanner}.',
    other: '{count} imagens na bandeja de {scanner}.',
  },
  'app.tray.put-scan': {
    one: '{count} imagem na bandeja de {scanner}. Clique em “Digitalizar” para digitalizá-la.',
    many: '{count} de imagens na bandeja de {scanner}. Clique em “Digitalizar” para digitalizá-las.',
    other: '{count} imagens na bandeja de {scanner}. Clique em “Digitalizar” para digitalizá-las.',
  },
  'app.tray.refused': 'Não foi possível colocar “{file}” na bandeja: {why}',
  'app.tray.more': { one: 'E mais {count}.', many: 'E mais {count}.', other: 'E mais {count}.' },
  'app.tray.kind': 'não é uma imagem PNG, JPEG, TIFF, WebP ou GIF.',
  'app.tray.empty': 'o arquivo está vazio.',
  'app.tray.large': 'o arquivo é grande demais; a bandeja aceita imagens de até {size} MiB.',
} as const satisfies Readonly<Record<keyof typeof english, Message>>;
