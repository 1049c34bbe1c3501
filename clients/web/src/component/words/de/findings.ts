/** What `diagnose()` finds, in German. */
import type { findings as english } from '../en/findings.js';
import type { Message } from '../en.js';

export const findings = {
  'finding.unreachable.sentence':
    'Unter {address} antwortet nichts: Der Scandienst ist nicht installiert, läuft nicht, oder dieser Browser vertraut seinem Zertifikat nicht.',
  'finding.unreachable.remedy':
    'Öffnen Sie {address}/ in einem neuen Tab. Wenn der Tab vor dem Zertifikat warnt, führen Sie „platen cert install“ aus und starten Sie den Browser neu. Wenn keine Verbindung möglich ist, starten Sie den Dienst oder installieren Sie ihn zuerst.',
  'finding.unreachable-or-not-allowed.sentence':
    'Unter {address} antwortet nichts: Der Scandienst ist nicht installiert, läuft nicht, dieser Browser vertraut seinem Zertifikat nicht, oder die Frage des Browsers nach dem lokalen Netzwerk wurde nicht mit „Zulassen“ beantwortet.',
  'finding.unreachable-or-not-allowed.remedy':
    'Öffnen Sie {address}/ in einem neuen Tab. Wenn der Tab vor dem Zertifikat warnt, führen Sie „platen cert install“ aus und starten Sie den Browser neu. Wenn keine Verbindung möglich ist, starten Sie den Dienst oder installieren Sie ihn zuerst. Wenn der Dienst erscheint, laden Sie diese Webseite neu und erlauben Sie ihr den Zugriff auf diesen Computer, sobald der Browser fragt.',
  'finding.refused-port.sentence':
    'Unter {address} ist kein Programm erreichbar: Der Scandienst ist nicht installiert oder läuft nicht.',
  'finding.refused-port.remedy':
    'Starten Sie den Dienst oder installieren Sie ihn zuerst. Wenn er nicht startet, nennt „platen doctor“ auf jenem Computer den Grund.',
  'finding.untrusted.sentence': 'Dem Zertifikat des Scandienstes unter {address} wird nicht vertraut.',
  'finding.untrusted.remedy':
    'Führen Sie auf diesem Computer „platen cert install“ aus und starten Sie das anfragende Programm neu. Für Node setzen Sie NODE_EXTRA_CA_CERTS.',
  'finding.not-asked.sentence':
    'Der Browser hat noch nicht gefragt, ob diese Webseite auf Programme auf diesem Computer zugreifen darf.',
  'finding.not-asked.remedy':
    'Verbinden Sie sich mit dem Scandienst und beantworten Sie die Frage des Browsers mit „Zulassen“ oder „Erlauben“.',
  'finding.asking.sentence': 'Der Browser fragt, ob diese Webseite auf Programme auf diesem Computer zugreifen darf.',
  'finding.asking.remedy':
    'Beantworten Sie die Frage des Browsers mit „Zulassen“ oder „Erlauben“. Wenn Sie keine Frage sehen, starten Sie den Scandienst neu.',
  'finding.denied.sentence':
    'Der Browser erlaubt dieser Webseite nicht, auf Programme auf diesem Computer zuzugreifen.',
  'finding.denied.remedy':
    'Klicken Sie links neben der Adresse auf „Website-Informationen anzeigen“, erlauben Sie „Apps auf dem Gerät“ (in älteren Versionen: „Zugriff auf lokales Netzwerk“) und laden Sie dann die Webseite neu. Wenn es sich dort nicht ändern lässt, entscheidet Ihre Administration.',
  'finding.denied-in-firefox.sentence':
    'Firefox erlaubt dieser Webseite nicht, auf Programme auf diesem Computer zuzugreifen.',
  'finding.denied-in-firefox.remedy':
    'Klicken Sie links neben der Adresse auf das Berechtigungssymbol, löschen Sie „Auf dieses Gerät zugreifen“, laden Sie die Webseite neu und antworten Sie „Erlauben“.',
  'finding.denied-in-frame.sentence':
    'Firefox erlaubt diesem Frame nicht, auf Programme auf diesem Computer zuzugreifen.',
  'finding.denied-in-frame.remedy':
    'Klicken Sie links neben der Adresse auf das Berechtigungssymbol. Wenn „Auf dieses Gerät zugreifen“ dort blockiert ist, löschen Sie den Eintrag, laden Sie die Webseite neu und antworten Sie „Erlauben“. Wenn nicht, muss die Webseite, die diesen Frame einbettet, es erlauben: <iframe allow="local-network-access; loopback-network">.',
  'finding.frame-not-allowed.sentence':
    'Die Webseite, die diesen Frame einbettet, erlaubt ihm nicht, auf Programme auf diesem Computer zuzugreifen.',
  'finding.frame-not-allowed.remedy':
    'Betten Sie den Frame mit <iframe allow="local-network-access; loopback-network"> ein.',
  'finding.insecure.sentence':
    'Diese Webseite wurde über unverschlüsseltes HTTP geladen, und der Browser lässt nur sichere Webseiten auf Programme auf diesem Computer zugreifen.',
  'finding.insecure.remedy': 'Stellen Sie die Webseite über HTTPS bereit.',
  'finding.policy.sentence': 'Die Content-Security-Policy dieser Webseite verbietet Aufrufe des Scandienstes.',
  'finding.policy.remedy':
    'Fügen Sie {address} zu connect-src der Content-Security-Policy der Webseite hinzu (und zu script-src, wenn das Modul von dort importiert wird).',
  'finding.refused.sentence':
    'Unter {address} antwortet etwas, aber nicht dieser Webseite: Die Konfiguration des Dienstes enthält den Ursprung (Origin) dieser Webseite nicht, oder ein anderes Programm belegt den Port.',
  'finding.refused.remedy':
    'Fügen Sie den Ursprung dieser Webseite in der Konfiguration des Dienstes zu security.origins hinzu und starten Sie den Dienst neu. Wenn er schon dort steht, zeigt „platen doctor“, welches Programm den Port belegt.',
  'finding.consent-required.sentence':
    'Diese Webseite darf noch nicht scannen: An diesem Computer hat es noch niemand erlaubt.',
  'finding.consent-required.remedy':
    'Öffnen Sie {link}, erlauben Sie dieser Webseite das Scannen, und versuchen Sie es noch einmal.',
  'finding.consent-refused.sentence': 'An diesem Computer wurde dieser Webseite das Scannen nicht erlaubt.',
  'finding.consent-refused.remedy': 'Öffnen Sie {link}, wenn Sie die Antwort ändern möchten.',
  'finding.token-required.sentence':
    'Der Scandienst unter {address} nimmt Aufrufe von Programmen nur mit seinem Token an.',
  'finding.token-required.remedy':
    'Übergeben Sie createClient({ token }) das Token: Es steht in der Datei local.token im Datenordner des Dienstes.',
  'finding.other.sentence': 'Das Programm, das unter {address} antwortet, ist nicht der Scandienst.',
  'finding.other.remedy':
    'Führen Sie „platen doctor“ aus: Es zeigt, welches Programm den Port belegt. Beenden Sie dieses Programm, oder setzen Sie PLATEN_PORT auf einen anderen Port und verwenden Sie diese Adresse in der Webseite.',
  'finding.outdated.sentence': 'Der Scandienst ist zu alt: Er meldet seine Version nicht.',
  'finding.outdated.remedy': 'Aktualisieren Sie den Scandienst auf diesem Computer.',
  'finding.silent.sentence': 'Der Scandienst unter {address} antwortet nicht.',
  'finding.silent.remedy': 'Starten Sie den Dienst neu.',
  'finding.unhealthy.sentence': 'Der Scandienst meldet, dass er gestört ist.',
  'finding.unhealthy.remedy':
    'Sehen Sie in sein Protokoll, oder führen Sie auf jenem Computer „platen doctor“ aus: Es prüft alles, was der Dienst braucht.',
  'finding.desktop-away.sentence':
    'Die Desktop-Anwendung, die die Scanner steuert, ist nicht mit dem Scandienst verbunden.',
  'finding.desktop-away.remedy':
    'Starten Sie die Desktop-Anwendung („platen host“) in der Sitzung der Person, die scannt. Der Dienst findet sie innerhalb von 5 s.',
  'finding.no-scanner.sentence': 'Der Scandienst findet keinen Scanner.',
  'finding.no-scanner.remedy':
    'Schließen Sie den Scanner an und schalten Sie ihn ein. Wenn er eingeschaltet ist, installieren Sie seinen Treiber.',
  'finding.offline.sentence': 'Kein Scanner ist online: {scanners}.',
  'finding.offline.remedy': 'Schalten Sie den Scanner ein und prüfen Sie sein Kabel oder sein Netzwerk.',
} as const satisfies Readonly<Record<keyof typeof english, Message>>;
