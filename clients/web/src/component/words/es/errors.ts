/** Failures, in Spanish. */
import type { errors as english } from '../en/errors.js';
import type { Message } from '../en.js';

export const errors = {
  'error.unknown-path.title': 'El servicio es más antiguo que esta página web',
  'error.unknown-path.remedy': 'Actualice el servicio y vuelva a cargar esta página web.',
  'error.unexpected-answer.title': 'Respuesta inesperada',
  'error.unexpected-answer.remedy': 'Reinicie el servicio y vuelva a cargar esta página web.',
  'error.invalid-value.title': 'Se rechazó un ajuste',
  'error.invalid-value.remedy': 'Elija otro valor y vuelva a escanear. No se movió ninguna hoja.',
  'error.origin-refused.title': 'Esta página web no tiene permiso para escanear',
  'error.origin-refused.remedy': 'Abra la página web en la dirección que el servicio muestra al iniciarse.',
  'error.consent-required.title': 'Esta página web todavía no puede escanear',
  'error.consent-required.remedy':
    'Autorícela en la página del servicio de escaneo. Después, esta página web continuará por sí sola.',
  'error.consent-refused.title': 'No se ha autorizado a esta página web a escanear',
  'error.consent-refused.remedy': 'Si cambia la respuesta, haga clic aquí en «Actualizar».',
  'error.token-required.title': 'El servicio pide su token',
  'error.token-required.remedy':
    'Abra la dirección que muestra «platen origins link» y vuelva a cargar esta página web.',
  'consent.answer': 'Responder en una pestaña nueva',
  'consent.change': 'Cambiar la respuesta',
  'error.device-not-found.title': 'El escáner ya no está disponible',
  'error.device-not-found.remedy': 'Conéctelo y enciéndalo; después, haga clic en «Actualizar».',
  'error.no-source-open.title': 'No hay ningún escáner abierto',
  'error.no-source-open.remedy': 'Primero elija un escáner.',
  'error.busy.title': 'El escáner está ocupado',
  'error.busy.remedy': 'Espere a que termine el otro escaneo, o desactive el escaneo automático, e inténtelo de nuevo.',
  'error.not-connected.title': 'La aplicación de escritorio no está en marcha',
  'error.not-connected.remedy':
    'Inicie en este equipo la aplicación de escritorio, que controla los escáneres. Después, haga clic en «Actualizar».',
  'error.no-pages.title': 'No hay ninguna página que guardar',
  'error.no-pages.remedy': 'Primero escanee una página. Si se omiten las páginas en blanco, consérvelas.',
  'error.no-paper.title': 'No hay papel',
  'error.no-paper.remedy': 'Coloque papel en el alimentador y vuelva a escanear.',
  'error.paper-jam.title': 'Atasco de papel',
  'error.paper-jam.remedy': 'Abra el escáner, retire la hoja, ciérrelo y escanee el resto.',
  'error.double-feed.title': 'Entraron dos hojas a la vez',
  'error.double-feed.remedy':
    'Retire las hojas y airéelas. Coloque las que siguen a la última página que aparece aquí y vuelva a escanear.',
  'error.cover-open.title': 'La tapa está abierta',
  'error.cover-open.remedy': 'Cierre la tapa del escáner y vuelva a escanear.',
  'error.device-offline.title': 'El escáner está sin conexión',
  'error.device-offline.remedy': 'Enciéndalo y compruebe su cable o la red; después, haga clic en «Actualizar».',
  'error.timeout.title': 'El escaneo tardó demasiado',
  'error.timeout.remedy':
    'Compruebe que el escáner no esté esperando algo y vuelva a escanear. Si fijó un límite de tiempo, auméntelo.',
  'error.service-ended.title': 'El servicio se cerró durante el escaneo',
  'error.service-ended.remedy': 'Coloque las hojas que siguen a la última página que aparece aquí y vuelva a escanear.',
  'error.scan-not-found.title': 'El servicio ya no tiene estas páginas',
  'error.scan-not-found.remedy': 'Se descartaron en otro lugar o venció su plazo de conservación. Escanéelas de nuevo.',
  'error.storage-full.title': 'No hay espacio para más páginas',
  'error.storage-full.remedy':
    'Elimine páginas aquí, o descarte escaneos pendientes y documentos guardados. Después, vuelva a escanear. No se movió ninguna hoja.',
  'error.unsupported.title': 'El escáner no puede hacer esto',
  'error.unsupported.remedy': 'Elija otros ajustes y vuelva a escanear.',
  'error.cancelled.title': 'El escaneo se canceló',
  'error.cancelled.remedy': 'Haga clic en «Escanear» para empezar de nuevo.',
  'error.pages-lost.title': 'Algunas páginas no llegaron',
  'error.pages-lost.remedy': 'Compare las páginas que aparecen aquí con el papel y escanee las que falten.',
  'error.autoscan-off.title': 'El escaneo automático está desactivado',
  'error.autoscan-off.remedy':
    'Otra página web lo desactivó o el servicio se reinició. Vuelva a activarlo cuando lo necesite.',
  'error.failing.title': 'El escaneo automático se desactivó solo',
  'error.failing.remedy':
    'Fallaron varios escaneos seguidos. Revise el papel y el escáner, y vuelva a activar el escaneo automático.',
  'error.unread.title': 'El escaneo automático se desactivó solo',
  'error.unread.remedy':
    'Durante varios minutos, ninguna página web recogió lo escaneado. Vuelva a activarlo cuando lo necesite.',
  'error.internal.title': 'Error al escanear',
  'error.internal.remedy':
    'Apague y encienda el escáner e inténtelo de nuevo. El registro del servicio contiene los detalles.',
  'at-page.paper-jam.title': 'Atasco de papel en la página {page}',
  'at-page.paper-jam.remedy':
    'Abra el escáner, retire la hoja y ciérrelo. Coloque el papel desde la página {page} y haga clic en «Continuar».',
  'at-page.double-feed.title': 'La página {page} entró junto con otra hoja',
  'at-page.double-feed.remedy':
    'Retire las hojas y airéelas. Coloque el papel desde la página {page} y haga clic en «Continuar».',
  'at-page.cover-open.title': 'Se abrió la tapa antes de la página {page}',
  'at-page.cover-open.remedy':
    'Cierre la tapa del escáner, coloque el papel desde la página {page} y haga clic en «Continuar».',
  'at-page.no-paper.title': 'El alimentador está vacío en la página {page}',
  'at-page.no-paper.remedy': 'Coloque papel en el alimentador y haga clic en «Continuar».',
  'at-page.service-ended.title': 'El servicio se cerró antes de terminar la página {page}',
  'at-page.service-ended.remedy': 'Coloque el papel desde la página {page} y haga clic en «Continuar».',
  'at-page.cancelled.title': 'El escaneo se canceló',
  'at-page.cancelled.remedy': 'Para seguir escaneando desde la página {page}, haga clic en «Continuar».',
  'error.install': 'Instalar el servicio de escaneado',
  'error.continue-at': 'Para seguir escaneando desde la página {page}, haga clic en «Continuar».',
  'error.pages-in-memory': {
    one: 'Una página está solo en la memoria. Guárdela ahora: se perderá cuando termine el servicio.',
    many: '{count} páginas están solo en la memoria. Guárdelas ahora: se perderán cuando termine el servicio.',
    other: '{count} páginas están solo en la memoria. Guárdelas ahora: se perderán cuando termine el servicio.',
  },
  'error.pages-kept': {
    one: 'La página anterior se conserva.',
    many: 'Las páginas anteriores se conservan.',
    other: 'Las páginas anteriores se conservan.',
  },
} as const satisfies Readonly<Record<keyof typeof english, Message>>;
