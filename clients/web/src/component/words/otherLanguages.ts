/** The languages but English: how each area is loaded. Loaded itself when one of them is spoken. */
import type { Sentences } from './en.js';

/**
 * `first`: what the element shows at once. `settings`: the opened settings. `actions`: those other than Done, and the viewer. `errors`: failures but `no-answer`, since a
 * service that fails can give them. `findings`: of `diagnose()`. `app`: the service's own page around the element.
 */
export type Area = 'first' | 'settings' | 'actions' | 'errors' | 'findings' | 'app';

/** By BCP 47 tag. */
export const others: Readonly<Record<string, Readonly<Record<Area, () => Promise<Sentences>>>>> = {
  de: {
    first: async () => (await import('./de/first.js')).first,
    settings: async () => (await import('./de/settings.js')).settings,
    actions: async () => (await import('./de/actions.js')).actions,
    errors: async () => (await import('./de/errors.js')).errors,
    findings: async () => (await import('./de/findings.js')).findings,
    app: async () => (await import('./de/app.js')).app,
  },
  fr: {
    first: async () => (await import('./fr/first.js')).first,
    settings: async () => (await import('./fr/settings.js')).settings,
    actions: async () => (await import('./fr/actions.js')).actions,
    errors: async () => (await import('./fr/errors.js')).errors,
    findings: async () => (await import('./fr/findings.js')).findings,
    app: async () => (await import('./fr/app.js')).app,
  },
  es: {
    first: async () => (await import('./es/first.js')).first,
    settings: async () => (await import('./es/settings.js')).settings,
    actions: async () => (await import('./es/actions.js')).actions,
    errors: async () => (await import('./es/errors.js')).errors,
    findings: async () => (await import('./es/findings.js')).findings,
    app: async () => (await import('./es/app.js')).app,
  },
  pt: {
    first: async () => (await import('./pt/first.js')).first,
    settings: async () => (await import('./pt/settings.js')).settings,
    actions: async () => (await import('./pt/actions.js')).actions,
    errors: async () => (await import('./pt/errors.js')).errors,
    findings: async () => (await import('./pt/findings.js')).findings,
    app: async () => (await import('./pt/app.js')).app,
  },
  ja: {
    first: async () => (await import('./ja/first.js')).first,
    settings: async () => (await import('./ja/settings.js')).settings,
    actions: async () => (await import('./ja/actions.js')).actions,
    errors: async () => (await import('./ja/errors.js')).errors,
    findings: async () => (await import('./ja/findings.js')).findings,
    app: async () => (await import('./ja/app.js')).app,
  },
  zh: {
    first: async () => (await import('./zh/first.js')).first,
    settings: async () => (await import('./zh/settings.js')).settings,
    actions: async () => (await import('./zh/actions.js')).actions,
    errors: async () => (await import('./zh/errors.js')).errors,
    findings: async () => (await import('./zh/findings.js')).findings,
    app: async () => (await import('./zh/app.js')).app,
  },
  ar: {
    first: async () => (await import('./ar/first.js')).first,
    settings: async () => (await import('./ar/settings.js')).settings,
    actions: async () => (await import('./ar/actions.js')).actions,
    errors: async () => (await import('./ar/errors.js')).errors,
    findings: async () => (await import('./ar/findings.js')).findings,
    app: async () => (await import('./ar/app.js')).app,
  },
};
