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
  state = next;
  showHealth();
}
