/** The page's sentences beside the component's, in Portuguese. */
import type { Sentences } from './en.js';

export const pt: Sentences = {
  'about.title': 'Sobre este scanner',
  'about.asking': 'Perguntando ao driver…',
  'about.manufacturer': 'Fabricante',
  'about.model': 'Modelo',
  'about.state': 'Estado',
  'about.state.ok': 'Nenhum problema conhecido',
  'about.state.warning': 'Precisa de atenção',
  'about.state.failed': 'Não funciona',
  'about.nothing': 'O driver não informa mais nada sobre ele.',
  'about.away': 'O serviço não responde.',
  'licence.ends': 'A licença de {plugin} termina em {day}. Avise o administrador.',
  'licence.grace': 'A licença de {plugin} terminou em {day}. Ela ainda funciona até {end}. Avise o administrador.',
};
