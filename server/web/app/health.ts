/** The line in the bar that says whether the service answers. */
import { createClient } from '@platen/client';
import { byId } from '../shared/element.js';
import { scan } from './page.js';

type State = { readonly is: 'unknown' | 'degraded' | 'away' } | { readonly is: 'well'; readonly version: string };

const { version } = createClient({ baseUrl: location.origin });
let asked = 0;
let state: State = { is: 'unknown' };

/** In the current language. */
export function showHealth(): void {
  const { words } = scan;
  byId('health', HTMLElement).dataset['state'] = state.is;
  byId('health-text', HTMLElement).textContent =
    state.is === 'well' ? words('app.health.well', { version: state.version }) : words(`app.health.${state.is}`);
}

export async function askHealth(): Promise<void> {
  const mine = ++asked;
  const next = await version().then(
    ({ serviceVersion, desktopAppConnected }): State =>
      desktopAppConnected ? { is: 'well', version: serviceVersion } : { is: 'degraded' },
    (): State => ({ is: 'away' }),
  );
  // A later request is under way or has been answered.
  if (mine !== asked) return;
  const isBack = state.is === 'away' && next.is !== 'away';
  state = next;
  showHealth();
  if (isBack) onBack();
}

/** Between two questions of a page that is seen, ms. */
const AGAIN_MS = 3000;

let onBack = (): void => undefined;

/**
 * Asks again and again while the page is seen, and at once when the person comes back to it or the network changes.
 * @param then the service answers again: what the page shows is old
 */
export function keepAsking(then: () => void): void {
  onBack = then;
  const again = async (): Promise<void> => {
    if (!document.hidden) await askHealth();
    setTimeout(() => void again(), AGAIN_MS);
  };
  void again();
  for (const event of ['focus', 'online', 'offline']) addEventListener(event, () => void askHealth());
  document.addEventListener('visibilitychange', () => document.hidden || void askHealth());
}
