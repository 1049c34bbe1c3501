/** The line in the bar that says whether the service is there. */
import { byId } from './element.js';
import type { Service } from './service.js';

export async function showHealth(service: Service): Promise<void> {
  const place = byId('health', HTMLElement);
  const say = (state: string, text: string): void => {
    place.dataset['state'] = state;
    byId('health-text', HTMLElement).textContent = text;
  };
  try {
    const { serviceVersion, desktopAppConnected } = await service.version();
    if (desktopAppConnected) say('well', `Running · ${serviceVersion}`);
    else say('degraded', 'Desktop application away');
  } catch {
    say('away', 'Service does not answer');
  }
}
