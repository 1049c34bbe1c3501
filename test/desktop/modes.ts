/** A plugin whose scanner fails with the requested transfer mode in its message. */
import { definePlugin, ScanError, type Device, type Session } from '@platen/core/plugin';

const device: Device = {
  id: 'modes',
  name: 'Modes',
  manufacturer: 'Platen',
  model: 'Modes',
  online: true,
  feeder: false,
  flatbed: true,
  duplex: false,
  feeding: 'perSheet',
};

const session: Session = {
  device,
  capabilities: async () => ({
    flatbed: { resolutions: [200], colorModes: ['Grayscale'], duplex: false, pageSizes: ['A6'], adjustments: [] },
  }),
  status: async () => ({ online: true, paper: 'unknown' }),
  scan: ({ transferMode = 'nothing' }) => ({
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.reject(new ScanError('driver-failed', `asked for ${transferMode}`)),
    }),
  }),
  close: async () => undefined,
};

const modes = definePlugin({
  name: 'modes',
  api: 1,
  setup: () => ({
    drivers: [
      {
        id: 'modes',
        async *devices() {
          yield device;
        },
        open: async () => session,
        close: async () => undefined,
      },
    ],
  }),
});
// oxlint-disable-next-line import/no-default-export -- the loader takes a plugin's default export
export default modes;
