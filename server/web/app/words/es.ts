/** The page's sentences beside the component's, in Spanish. */
import type { Sentences } from './en.js';

export const es: Sentences = {
  'about.title': 'Acerca de este escáner',
  'about.asking': 'Preguntando a su controlador…',
  'about.manufacturer': 'Fabricante',
  'about.model': 'Modelo',
  'about.state': 'Estado',
  'about.state.ok': 'No se conoce ningún problema',
  'about.state.warning': 'Necesita atención',
  'about.state.failed': 'No funciona',
  'about.nothing': 'Su controlador no dice nada más de él.',
  'about.away': 'El servicio no responde.',
  'licence.ends': 'La licencia de {plugin} termina el {day}. Avise a su administrador.',
  'licence.grace':
    'La licencia de {plugin} terminó el {day}. Sigue funcionando hasta el {end}. Avise a su administrador.',
};
