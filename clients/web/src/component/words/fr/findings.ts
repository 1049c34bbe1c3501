/** What `diagnose()` finds, in French. */
import type { findings as english } from '../en/findings.js';
import type { Message } from '../en.js';

export const findings = {
  'finding.unreachable.sentence':
    'Rien ne répond à l’adresse {address} : le service de numérisation n’est pas installé, n’est pas lancé, ou ce navigateur ne fait pas confiance à son certificat.',
  'finding.unreachable.remedy':
    'Ouvrez {address}/ dans un nouvel onglet. Si le navigateur affiche un avertissement sur le certificat, exécutez « platen cert install » et redémarrez le navigateur. Si la connexion échoue, démarrez le service, ou installez-le d’abord.',
  'finding.unreachable-or-not-allowed.sentence':
    'Rien ne répond à l’adresse {address} : le service de numérisation n’est pas installé, n’est pas lancé, ce navigateur ne fait pas confiance à son certificat, ou vous n’avez pas répondu « Autoriser » à la question du navigateur sur le réseau local.',
  'finding.unreachable-or-not-allowed.remedy':
    'Ouvrez {address}/ dans un nouvel onglet. Si le navigateur affiche un avertissement sur le certificat, exécutez « platen cert install » et redémarrez le navigateur. Si la connexion échoue, démarrez le service, ou installez-le d’abord. Si le service s’affiche, rechargez cette page web et autorisez-la à accéder à cet ordinateur lorsque le navigateur le demande.',
  'finding.refused-port.sentence':
    'Aucun programme n’écoute à l’adresse {address} : le service de numérisation n’est pas installé ou n’est pas lancé.',
  'finding.refused-port.remedy':
    'Démarrez le service, ou installez-le d’abord. S’il ne démarre pas, « platen doctor » exécuté sur l’ordinateur du service en donne la raison.',
  'finding.untrusted.sentence': 'Le certificat du service de numérisation à l’adresse {address} n’est pas approuvé.',
  'finding.untrusted.remedy':
    'Exécutez « platen cert install » sur cet ordinateur et redémarrez le programme à l’origine de la demande. Pour Node, définissez NODE_EXTRA_CA_CERTS.',
  'finding.denied.sentence': 'Le navigateur n’autorise pas cette page web à accéder aux programmes de cet ordinateur.',
  'finding.denied.remedy':
    'Autorisez « Accès au réseau local » (ou « Applications sur l’appareil ») pour ce site dans les paramètres du site, à gauche de l’adresse, puis rechargez la page web.',
  'finding.denied-in-frame.sentence':
    'Le navigateur n’autorise pas cette page web à accéder aux programmes de cet ordinateur.',
  'finding.denied-in-frame.remedy':
    'Autorisez « Accès au réseau local » (ou « Applications sur l’appareil ») pour ce site dans les paramètres du site. La page web qui intègre ce cadre doit aussi l’autoriser : <iframe allow="local-network-access; loopback-network">.',
  'finding.insecure.sentence':
    'Cette page web a été chargée par HTTP non sécurisé, et le navigateur ne laisse que les pages sécurisées accéder aux programmes de cet ordinateur.',
  'finding.insecure.remedy': 'Servez la page web par HTTPS.',
  'finding.policy.sentence':
    'La Content-Security-Policy de cette page web interdit les appels au service de numérisation.',
  'finding.policy.remedy':
    'Ajoutez {address} à connect-src dans la Content-Security-Policy de la page web (et à script-src si le module est importé depuis cette adresse).',
  'finding.refused.sentence':
    'Un programme répond à l’adresse {address}, mais pas à cette page web : l’origine de la page ne figure pas dans la configuration du service, ou un autre programme utilise le port.',
  'finding.refused.remedy':
    'Ajoutez l’origine de cette page web à security.allowedOrigins dans la configuration du service, puis redémarrez le service. Si elle y figure déjà, « platen doctor » indique quel programme utilise le port.',
  'finding.consent-required.sentence':
    'Cette page web ne peut pas encore numériser : personne ne l’a autorisée sur cet ordinateur.',
  'finding.consent-required.remedy': 'Ouvrez {link}, autorisez cette page web, puis réessayez.',
  'finding.consent-refused.sentence': 'Sur cet ordinateur, cette page web n’a pas été autorisée à numériser.',
  'finding.consent-refused.remedy': 'Pour changer la réponse, ouvrez {link}.',
  'finding.token-required.sentence':
    'Le service de numérisation à l’adresse {address} n’accepte les appels des programmes qu’avec son jeton.',
  'finding.token-required.remedy':
    'Passez le jeton à createClient({ token }) : il se trouve dans le fichier local.token du dossier de données du service.',
  'finding.other.sentence': 'Le programme qui répond à l’adresse {address} n’est pas le service de numérisation.',
  'finding.other.remedy':
    'Exécutez « platen doctor » : il indique quel programme utilise le port. Arrêtez ce programme, ou donnez un autre port à PLATEN_PORT et utilisez cette adresse dans la page web.',
  'finding.outdated.sentence': 'Le service de numérisation est trop ancien : il n’indique pas sa version.',
  'finding.outdated.remedy': 'Mettez à jour le service de numérisation sur cet ordinateur.',
  'finding.silent.sentence': 'Le service de numérisation à l’adresse {address} ne répond pas.',
  'finding.silent.remedy': 'Redémarrez le service.',
  'finding.silent-or-asking.sentence':
    'Le service de numérisation à l’adresse {address} ne répond pas, ou le navigateur attend encore que vous autorisiez cette page web à y accéder.',
  'finding.silent-or-asking.remedy':
    'Répondez « Autoriser » à la question du navigateur. S’il ne demande rien, redémarrez le service.',
  'finding.unhealthy.sentence': 'Le service de numérisation signale un dysfonctionnement.',
  'finding.unhealthy.remedy':
    'Consultez son journal, ou exécutez « platen doctor » sur l’ordinateur du service : il vérifie tout ce dont le service a besoin.',
  'finding.desktop-away.sentence':
    'L’application de bureau, qui gère les scanners, n’est pas connectée au service de numérisation.',
  'finding.desktop-away.remedy':
    'Lancez l’application de bureau (« platen host ») dans la session de la personne qui numérise. Le service la détecte en 5 s au plus.',
  'finding.no-scanner.sentence': 'Le service de numérisation ne trouve aucun scanner.',
  'finding.no-scanner.remedy': 'Branchez le scanner et allumez-le. S’il est allumé, installez son pilote.',
  'finding.offline.sentence': 'Aucun scanner n’est en ligne : {scanners}.',
  'finding.offline.remedy': 'Allumez le scanner et vérifiez son câble ou son réseau.',
} as const satisfies Readonly<Record<keyof typeof english, Message>>;
