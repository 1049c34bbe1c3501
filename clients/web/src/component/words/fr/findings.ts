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
  'finding.not-asked.sentence':
    'Le navigateur n’a pas encore demandé si cette page web peut accéder aux programmes de cet ordinateur.',
  'finding.not-asked.remedy':
    'Connectez-vous au service de numérisation et répondez « Autoriser » à la question du navigateur.',
  'finding.asking.sentence': 'Le navigateur demande si cette page web peut accéder aux programmes de cet ordinateur.',
  'finding.asking.remedy':
    'Répondez « Autoriser » à la question du navigateur. Si vous ne voyez aucune question, redémarrez le service de numérisation.',
  'finding.denied.sentence': 'Le navigateur n’autorise pas cette page web à accéder aux programmes de cet ordinateur.',
  'finding.denied.remedy':
    'Cliquez sur « Afficher des informations à propos du site », à gauche de l’adresse, autorisez « Applis sur l’appareil » (dans les versions plus anciennes : « Accès au réseau local »), puis rechargez la page web. Si vous ne pouvez pas le modifier, votre administrateur en décide.',
  'finding.denied-in-firefox.sentence':
    'Firefox n’autorise pas cette page web à accéder aux programmes de cet ordinateur.',
  'finding.denied-in-firefox.remedy':
    'Cliquez sur l’icône des permissions à gauche de l’adresse, effacez « Accéder à cet appareil », rechargez la page web et répondez « Autoriser ».',
  'finding.denied-in-frame.sentence': 'Firefox n’autorise pas ce cadre à accéder aux programmes de cet ordinateur.',
  'finding.denied-in-frame.remedy':
    'Cliquez sur l’icône des permissions à gauche de l’adresse. Si « Accéder à cet appareil » y est bloqué, effacez-le, rechargez la page web et répondez « Autoriser ». Sinon, la page web qui intègre ce cadre doit l’autoriser : <iframe allow="local-network-access; loopback-network">.',
  'finding.frame-not-allowed.sentence':
    'La page web qui intègre ce cadre ne l’autorise pas à accéder aux programmes de cet ordinateur.',
  'finding.frame-not-allowed.remedy': 'Intégrez le cadre avec <iframe allow="local-network-access; loopback-network">.',
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
    'Ajoutez l’origine de cette page web à security.origins dans la configuration du service, puis redémarrez le service. Si elle y figure déjà, « platen doctor » indique quel programme utilise le port.',
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
