/** The line in the bar that says whether the service answers. */
import { byId } from './element.js';
import type { Service } from './service.js';

let asked = 0;

export async function showHealth(service: Service): Promise<void> {
  const place = byId('health', HTMLElement);
  const mine = ++asked;
  const say = (state: string, text: string): void => {
    // A later request is under way or has been answered.
    if (mine !== asked) return;
    place.dataset['state'] = state;
    byId('health-text', HTMLElement).textContent = text;
  };
  try {
    const { serviceVersion, desktopAppConnected } = await service.version();
    if (desktopAppConnected) say('well', `Running · ${serviceVersion}`);
    else say('degraded', 'Desktop application disconnected');
  } catch {
    say('away', 'Service does not answer');
  }
}
