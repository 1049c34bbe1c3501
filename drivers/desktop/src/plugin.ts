/** The plugin for the desktop application's scanners, which that application owns in the user's session. */
import { definePlugin } from '@platen/core/plugin';
import { CHANNEL_NAME, channelSecret, dialChannel } from '@platen/driver-remote';
import { desktopDriver } from './driver.js';

export interface DesktopOptions {
  readonly channel: string;
}

export default definePlugin<DesktopOptions>({
  name: '@platen/driver-desktop',
  api: 1,
  optionsSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      channel: {
        type: 'string',
        pattern: CHANNEL_NAME,
        default: 'platen',
        description:
          "The channel's name, as the desktop application's configuration has it: a lower-case letter, then letters, digits and dashes, 32 at most.",
      },
    },
  },
  async setup({ options, log, dataDir }) {
    // The end that starts first creates the secret. If that fails, each dial fails with the reason.
    await channelSecret(dataDir).catch(() => undefined);
    return { drivers: [desktopDriver({ dial: () => dialChannel({ name: options.channel, dataDir }), log })] };
  },
});
