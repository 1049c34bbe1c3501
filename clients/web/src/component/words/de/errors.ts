/** Failures, in German. */
import type { errors as english } from '../en/errors.js';
import type { Message } from '../en.js';

export const errors = {
  'error.unknown-path.title': 'Der Dienst ist älter als diese Webseite',
  'error.unknown-path.remedy': 'Aktualisieren Sie den Dienst und laden Sie dann diese Webseite neu.',
  'error.unexpected-answer.title': 'Unerwartete Antwort',
  'error.unexpected-answer.remedy': 'Starten Sie den Dienst neu und laden Sie dann diese Webseite neu.',
  'error.invalid-value.title': 'Eine Einstellung wurde abgelehnt',
  'error.invalid-value.remedy': 'Wählen Sie einen anderen Wert und scannen Sie erneut. Es wurde kein Papier bewegt.',
  'error.origin-refused.title': 'Diese Webseite darf nicht scannen',
  'error.origin-refused.remedy': 'Öffnen Sie die Webseite unter der Adresse, die der Dienst beim Start ausgibt.',
  'error.consent-required.title': 'Diese Webseite darf noch nicht scannen',
  'error.consent-required.remedy':
    'Erlauben Sie es auf der eigenen Seite des Scandienstes. Diese Webseite macht dann von selbst weiter.',
  'error.consent-refused.title': 'Dieser Webseite wurde das Scannen nicht erlaubt',
  'error.consent-refused.remedy': 'Wenn Sie die Antwort ändern, klicken Sie hier auf „Aktualisieren“.',
  'error.token-required.title': 'Der Dienst verlangt sein Token',
  'error.token-required.remedy':
    'Öffnen Sie die Adresse, die „platen origins link“ ausgibt, und laden Sie diese Webseite dann neu.',
  'consent.answer': 'In neuem Tab antworten',
  'consent.change': 'Antwort ändern',
  'error.device-not-found.title': 'Der Scanner ist nicht mehr da',
  'error.device-not-found.remedy':
    'Schließen Sie ihn an, schalten Sie ihn ein und klicken Sie dann auf „Aktualisieren“.',
  'error.no-source-open.title': 'Kein Scanner ist geöffnet',
  'error.no-source-open.remedy': 'Wählen Sie zuerst einen Scanner.',
  'error.busy.title': 'Der Scanner wird gerade verwendet',
  'error.busy.remedy':
    'Warten Sie, bis der andere Scan beendet ist, oder schalten Sie Auto-Scan aus. Versuchen Sie es dann erneut.',
  'error.not-connected.title': 'Die Desktop-Anwendung läuft nicht',
  'error.not-connected.remedy':
    'Starten Sie auf diesem Computer die Desktop-Anwendung, die die Scanner steuert. Klicken Sie dann auf „Aktualisieren“.',
  'error.no-pages.title': 'Es gibt keine Seite zum Speichern',
  'error.no-pages.remedy': 'Scannen Sie zuerst eine Seite. Wenn leere Seiten weggelassen werden, behalten Sie sie.',
  'error.no-paper.title': 'Es ist kein Papier eingelegt',
  'error.no-paper.remedy': 'Legen Sie Papier in den Einzug und scannen Sie erneut.',
  'error.paper-jam.title': 'Papierstau',
  'error.paper-jam.remedy':
    'Öffnen Sie den Scanner, entfernen Sie das Blatt, schließen Sie ihn und scannen Sie den Rest.',
  'error.double-feed.title': 'Zwei Blätter wurden gleichzeitig eingezogen',
  'error.double-feed.remedy':
    'Entfernen Sie die Blätter und fächern Sie sie auf. Legen Sie die Blätter ein, die auf die letzte Seite hier folgen, und scannen Sie erneut.',
  'error.cover-open.title': 'Die Abdeckung ist offen',
  'error.cover-open.remedy': 'Schließen Sie die Abdeckung des Scanners und scannen Sie erneut.',
  'error.device-offline.title': 'Der Scanner ist offline',
  'error.device-offline.remedy':
    'Schalten Sie ihn ein, prüfen Sie sein Kabel oder das Netzwerk und klicken Sie dann auf „Aktualisieren“.',
  'error.timeout.title': 'Der Scan hat zu lange gedauert',
  'error.timeout.remedy':
    'Prüfen Sie, ob der Scanner auf etwas wartet. Scannen Sie dann erneut. Wenn Sie ein Zeitlimit gesetzt haben, erhöhen Sie es.',
  'error.service-ended.title': 'Der Dienst wurde während des Scans beendet',
  'error.service-ended.remedy':
    'Legen Sie die Blätter ein, die auf die letzte Seite hier folgen, und scannen Sie erneut.',
  'error.scan-not-found.title': 'Der Dienst hat diese Seiten nicht mehr',
  'error.scan-not-found.remedy':
    'Sie wurden an anderer Stelle verworfen, oder ihre Aufbewahrungszeit ist abgelaufen. Scannen Sie sie noch einmal.',
  'error.storage-full.title': 'Es ist kein Platz für weitere Seiten',
  'error.storage-full.remedy':
    'Entfernen Sie Seiten hier, oder verwerfen Sie wartende Scans und gespeicherte Dokumente. Scannen Sie dann erneut. Es wurde kein Papier bewegt.',
  'error.unsupported.title': 'Der Scanner kann das nicht',
  'error.unsupported.remedy': 'Wählen Sie andere Einstellungen und scannen Sie erneut.',
  'error.cancelled.title': 'Der Scan wurde abgebrochen',
  'error.cancelled.remedy': 'Klicken Sie auf „Scannen“, um neu zu beginnen.',
  'error.pages-lost.title': 'Einige Seiten sind nicht angekommen',
  'error.pages-lost.remedy': 'Vergleichen Sie die Seiten hier mit Ihrem Papier und scannen Sie die fehlenden.',
  'error.autoscan-off.title': 'Auto-Scan ist ausgeschaltet',
  'error.autoscan-off.remedy':
    'Eine andere Webseite hat Auto-Scan ausgeschaltet, oder der Dienst wurde neu gestartet. Schalten Sie Auto-Scan bei Bedarf wieder ein.',
  'error.failing.title': 'Auto-Scan hat sich ausgeschaltet',
  'error.failing.remedy':
    'Mehrere Scans nacheinander sind fehlgeschlagen. Prüfen Sie das Papier und den Scanner und schalten Sie Auto-Scan wieder ein.',
  'error.unread.title': 'Auto-Scan hat sich ausgeschaltet',
  'error.unread.remedy':
    'Mehrere Minuten lang hat keine Webseite die Scans abgeholt. Schalten Sie Auto-Scan bei Bedarf wieder ein.',
  'error.internal.title': 'Der Scan ist fehlgeschlagen',
  'error.internal.remedy':
    'Schalten Sie den Scanner aus und wieder ein und versuchen Sie es erneut. Einzelheiten stehen im Protokoll des Dienstes.',
  'at-page.paper-jam.title': 'Papierstau bei Seite {page}',
  'at-page.paper-jam.remedy':
    'Öffnen Sie den Scanner, entfernen Sie das Blatt und schließen Sie ihn. Legen Sie das Papier ab Seite {page} ein und klicken Sie auf „Fortsetzen“.',
  'at-page.double-feed.title': 'Seite {page} wurde zusammen mit einem anderen Blatt eingezogen',
  'at-page.double-feed.remedy':
    'Entfernen Sie die Blätter und fächern Sie sie auf. Legen Sie das Papier ab Seite {page} ein und klicken Sie auf „Fortsetzen“.',
  'at-page.cover-open.title': 'Die Abdeckung wurde vor Seite {page} geöffnet',
  'at-page.cover-open.remedy':
    'Schließen Sie die Abdeckung des Scanners, legen Sie das Papier ab Seite {page} ein und klicken Sie auf „Fortsetzen“.',
  'at-page.no-paper.title': 'Der Einzug ist bei Seite {page} leer',
  'at-page.no-paper.remedy': 'Legen Sie Papier in den Einzug und klicken Sie auf „Fortsetzen“.',
  'at-page.service-ended.title': 'Der Dienst wurde beendet, bevor Seite {page} fertig war',
  'at-page.service-ended.remedy': 'Legen Sie das Papier ab Seite {page} ein und klicken Sie auf „Fortsetzen“.',
  'at-page.cancelled.title': 'Der Scan wurde abgebrochen',
  'at-page.cancelled.remedy': 'Um ab Seite {page} weiterzuscannen, klicken Sie auf „Fortsetzen“.',
  'error.install': 'Scandienst installieren',
  'error.continue-at': 'Um ab Seite {page} weiterzuscannen, klicken Sie auf „Fortsetzen“.',
  'error.pages-in-memory': {
    one: 'Eine Seite ist nur im Arbeitsspeicher. Speichern Sie sie jetzt: Sie geht verloren, wenn der Dienst endet.',
    other:
      '{count} Seiten sind nur im Arbeitsspeicher. Speichern Sie sie jetzt: Sie gehen verloren, wenn der Dienst endet.',
  },
  'error.pages-kept': { one: 'Die Seite davor bleibt erhalten.', other: 'Die Seiten davor bleiben erhalten.' },
} as const satisfies Readonly<Record<keyof typeof english, Message>>;
