/** Failures, in French. */
import type { errors as english } from '../en/errors.js';
import type { Message } from '../en.js';

export const errors = {
  'error.unknown-path.title': 'Le service est plus ancien que cette page web',
  'error.unknown-path.remedy': 'Mettez le service à jour, puis rechargez cette page web.',
  'error.unexpected-answer.title': 'Réponse inattendue',
  'error.unexpected-answer.remedy': 'Redémarrez le service, puis rechargez cette page web.',
  'error.invalid-value.title': 'Un paramètre a été refusé',
  'error.invalid-value.remedy': 'Choisissez une autre valeur, puis relancez la numérisation. Aucune feuille n’a bougé.',
  'error.origin-refused.title': 'Cette page web n’est pas autorisée à numériser',
  'error.origin-refused.remedy': 'Ouvrez la page web à l’adresse que le service affiche au démarrage.',
  'error.consent-required.title': 'Cette page web ne peut pas encore numériser',
  'error.consent-required.remedy':
    'Autorisez-la sur la page du service de numérisation. Cette page web continuera alors d’elle-même.',
  'error.consent-refused.title': 'Cette page web n’a pas été autorisée à numériser',
  'error.consent-refused.remedy': 'Si vous changez la réponse, cliquez ici sur « Actualiser ».',
  'error.token-required.title': 'Le service demande son jeton',
  'error.token-required.remedy': 'Ouvrez l’adresse que « platen origins link » affiche, puis rechargez cette page web.',
  'consent.answer': 'Répondre dans un nouvel onglet',
  'consent.change': 'Changer la réponse',
  'error.device-not-found.title': 'Le scanner n’est plus là',
  'error.device-not-found.remedy': 'Branchez-le et allumez-le, puis cliquez sur « Actualiser ».',
  'error.no-source-open.title': 'Aucun scanner n’est ouvert',
  'error.no-source-open.remedy': 'Choisissez d’abord un scanner.',
  'error.busy.title': 'Le scanner est occupé',
  'error.busy.remedy': 'Attendez la fin de l’autre numérisation ou désactivez la numérisation auto, puis réessayez.',
  'error.not-connected.title': 'L’application de bureau n’est pas lancée',
  'error.not-connected.remedy':
    'Sur cet ordinateur, lancez l’application de bureau, qui gère les scanners. Cliquez ensuite sur « Actualiser ».',
  'error.no-pages.title': 'Il n’y a aucune page à enregistrer',
  'error.no-pages.remedy': 'Numérisez d’abord une page. Si les pages blanches sont exclues, conservez-les.',
  'error.no-paper.title': 'Il n’y a pas de papier',
  'error.no-paper.remedy': 'Placez du papier dans le chargeur, puis relancez la numérisation.',
  'error.paper-jam.title': 'Bourrage papier',
  'error.paper-jam.remedy': 'Ouvrez le scanner, retirez la feuille, refermez-le et numérisez la suite.',
  'error.double-feed.title': 'Deux feuilles ont été entraînées en même temps',
  'error.double-feed.remedy':
    'Retirez les feuilles, déramez-les, remettez celles qui suivent la dernière page affichée ici et relancez la numérisation.',
  'error.cover-open.title': 'Le capot est ouvert',
  'error.cover-open.remedy': 'Fermez le capot du scanner, puis relancez la numérisation.',
  'error.device-offline.title': 'Le scanner est hors ligne',
  'error.device-offline.remedy': 'Allumez-le, vérifiez son câble ou le réseau, puis cliquez sur « Actualiser ».',
  'error.timeout.title': 'La numérisation a pris trop de temps',
  'error.timeout.remedy':
    'Vérifiez que le scanner n’attend rien, puis relancez la numérisation. Si vous avez fixé un délai, augmentez-le.',
  'error.service-ended.title': 'Le service s’est arrêté pendant la numérisation',
  'error.service-ended.remedy':
    'Remettez les feuilles qui suivent la dernière page affichée ici, puis relancez la numérisation.',
  'error.scan-not-found.title': 'Le service n’a plus ces pages',
  'error.scan-not-found.remedy':
    'Elles ont été supprimées ailleurs, ou leur durée de conservation est dépassée. Numérisez-les à nouveau.',
  'error.storage-full.title': 'Il n’y a plus de place pour d’autres pages',
  'error.storage-full.remedy':
    'Supprimez des pages ici, ou supprimez des numérisations en attente et des documents enregistrés. Relancez ensuite la numérisation. Aucune feuille n’a bougé.',
  'error.unsupported.title': 'Le scanner ne peut pas faire cela',
  'error.unsupported.remedy': 'Choisissez d’autres paramètres, puis relancez la numérisation.',
  'error.cancelled.title': 'La numérisation a été arrêtée',
  'error.cancelled.remedy': 'Cliquez sur « Numériser » pour recommencer.',
  'error.pages-lost.title': 'Certaines pages ne sont pas arrivées',
  'error.pages-lost.remedy':
    'Comparez les pages affichées ici avec votre document, puis numérisez celles qui manquent.',
  'error.autoscan-off.title': 'La numérisation auto est désactivée',
  'error.autoscan-off.remedy':
    'Une autre page web l’a désactivée, ou le service a redémarré. Réactivez-la quand vous en avez besoin.',
  'error.failing.title': 'La numérisation auto s’est désactivée',
  'error.failing.remedy':
    'Plusieurs numérisations de suite ont échoué. Vérifiez le papier et le scanner, puis réactivez la numérisation auto.',
  'error.unread.title': 'La numérisation auto s’est désactivée',
  'error.unread.remedy':
    'Aucune page web n’a récupéré ses pages pendant plusieurs minutes. Réactivez-la quand vous en avez besoin.',
  'error.internal.title': 'La numérisation a échoué',
  'error.internal.remedy':
    'Éteignez puis rallumez le scanner et réessayez. Le journal du service donne plus de détails.',
  'at-page.paper-jam.title': 'Bourrage papier à la page {page}',
  'at-page.paper-jam.remedy':
    'Ouvrez le scanner, retirez la feuille et refermez-le. Remettez le papier à partir de la page {page}, puis cliquez sur « Continuer ».',
  'at-page.double-feed.title': 'La page {page} a été entraînée avec une autre feuille',
  'at-page.double-feed.remedy':
    'Retirez les feuilles et déramez-les. Remettez le papier à partir de la page {page}, puis cliquez sur « Continuer ».',
  'at-page.cover-open.title': 'Le capot a été ouvert avant la page {page}',
  'at-page.cover-open.remedy':
    'Fermez le capot du scanner, remettez le papier à partir de la page {page}, puis cliquez sur « Continuer ».',
  'at-page.no-paper.title': 'Le chargeur est vide à la page {page}',
  'at-page.no-paper.remedy': 'Placez du papier dans le chargeur, puis cliquez sur « Continuer ».',
  'at-page.service-ended.title': 'Le service s’est arrêté avant la fin de la page {page}',
  'at-page.service-ended.remedy': 'Remettez le papier à partir de la page {page}, puis cliquez sur « Continuer ».',
  'at-page.cancelled.title': 'La numérisation a été arrêtée',
  'at-page.cancelled.remedy': 'Pour poursuivre à partir de la page {page}, cliquez sur « Continuer ».',
  'error.install': 'Installer le service de numérisation',
  'error.continue-at': 'Pour poursuivre à partir de la page {page}, cliquez sur « Continuer ».',
  'error.pages-in-memory': {
    one: 'Une page est uniquement en mémoire. Enregistrez-la maintenant : elle sera perdue à l’arrêt du service.',
    many: '{count} pages sont uniquement en mémoire. Enregistrez-les maintenant : elles seront perdues à l’arrêt du service.',
    other:
      '{count} pages sont uniquement en mémoire. Enregistrez-les maintenant : elles seront perdues à l’arrêt du service.',
  },
  'error.pages-kept': {
    one: 'La page précédente est conservée.',
    many: 'Les pages précédentes sont conservées.',
    other: 'Les pages précédentes sont conservées.',
  },
} as const satisfies Readonly<Record<keyof typeof english, Message>>;
