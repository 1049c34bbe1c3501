/** Whether the desktop application is connected, from the drivers' links. */
import type { Registry } from '@platen/core';

export interface Desktop {
  /** True if no driver has a link: the service is then its own desktop application. */
  readonly connected: boolean;
  /** Undefined while the desktop application is not connected. */
  readonly version: string | undefined;
}

export function createDesktop(registry: Pick<Registry, 'drivers'>, serviceVersion: string): Desktop {
  const links = () => registry.drivers.flatMap(driver => (driver.link ? [driver.link] : []));
  return {
    get connected() {
      return links().every(link => link.peer !== undefined);
    },
    get version() {
      const all = links();
      if (all.length === 0) return serviceVersion;
      return all.every(link => link.peer) ? all[0]?.peer?.version : undefined;
    },
  };
}
