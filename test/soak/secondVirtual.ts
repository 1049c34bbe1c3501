/** The virtual scanners once more, as a driver of another name: one runs in the service, this one in its own process. */
import virtual from '@platen/driver-virtual';

// oxlint-disable-next-line import/no-default-export -- the loader takes a plugin's default export
export default {
  ...virtual,
  name: 'platen-soak-second-virtual',
  async setup(context: Parameters<typeof virtual.setup>[0]) {
    const { drivers = [] } = await virtual.setup(context);
    return { drivers: drivers.map(driver => ({ ...driver, id: 'second-virtual' })) };
  },
};
