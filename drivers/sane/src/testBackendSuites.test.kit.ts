/** The suite over libsane's own `test` backend. */
import { defineSuites, type DriverFeatures, type DriverRig } from '@platen/conformance';
import type { DriverCode } from '@platen/core/plugin';
import type { Frame, Helper } from '@platen/driver-kit';
import type { Descriptor } from './handle.js';
import { helpers, testBackend, words } from './rig.test.kit.js';

type Fault = DriverCode | 'hang';

const SECOND = 'test:1';

/**
 * The backend's feeders are always full: ten sheets, and ten more after one was empty. A wrapper between the driver and the helper controls
 * the results with the backend's option `read-return-value`, so the driver sees only SANE's answers. A hang is a stopped helper.
 * Faults are those of the first device.
 */
function feedersAround(): {
  around(helper: Helper): Helper;
  rig: Pick<DriverRig, 'load' | 'remaining' | 'fault' | 'clearFaults' | 'second'>;
} {
  const [first, second] = [{ loaded: 0 }, { loaded: 0 }];
  let fault: { sheet: number; fault: Fault } | undefined;

  const around = (helper: Helper): Helper => {
    let feeder = first;
    let sheet = 0;
    const ask = (verb: string, args: object): Promise<Frame> => helper.call(verb, args, { deadlineMs: 60_000 });
    const options = async () => JSON.parse(Buffer.from((await ask('options', {})).data).toString()) as Descriptor[];
    const find = async (name: string) => (await options()).find(each => each.name === name)!.index;
    const fate = async (status: string) => ask('set', { index: await find('read-return-value'), value: status });

    const start = async () => {
      const isFlatbed = (await ask('get', { index: await find('source') })).header['value'] === 'Flatbed';
      const at = isFlatbed ? 1 : ++sheet;
      const strikes = feeder === first && fault?.sheet === at ? fault.fault : undefined;
      const isEmpty = !isFlatbed && feeder.loaded === 0;
      if (strikes === 'hang') for (const pid of helpers()) process.kill(pid, 'SIGSTOP');
      else await fate(strikes ? `SANE_STATUS_${words[strikes]}` : isEmpty ? 'SANE_STATUS_NO_DOCS' : 'Default');
      if (!isFlatbed && feeder.loaded > 0) feeder.loaded--;
    };

    return {
      ...helper,
      get generation() {
        return helper.generation;
      },
      async call(verb, args, call) {
        if (verb === 'open') feeder = (args as { device: string }).device === SECOND ? second : first;
        if (verb === 'cancel') sheet = 0;
        if (verb !== 'start') return helper.call(verb, args, call);
        await start();
        return helper.call(verb, args, call).catch((error: unknown) => {
          if ((error as { status?: unknown }).status !== 'NO_DOCS') throw error;
          return helper.call(verb, args, call); // its ten sheets are scanned; the rig has inserted more
        });
      },
    };
  };

  return {
    around,
    rig: {
      load: async sheets => void (first.loaded += sheets),
      second: { deviceId: SECOND, load: async sheets => void (second.loaded += sheets) },
      remaining: async () => first.loaded,
      fault: async (at, is) => void (fault = { sheet: at, fault: is }),
      clearFaults: async () => void (fault = undefined),
    },
  };
}

async function make(): Promise<DriverRig> {
  const { around, rig } = feedersAround();
  const { driver, deviceId, dispose } = await testBackend({ around, deadlines: { abandon: 100 } }, [
    'number_of_devices 2',
    'geometry_quant 0',
    'enable-test-options true',
  ]);
  return { driver, deviceId, dispose, ...rig };
}

const features: DriverFeatures = {
  feeder: true,
  flatbed: true,
  duplex: false,
  devices: 2,
  controls: ['area', 'sheets'],
  driverOptions: true,
  faults: [...Object.keys(words), 'hang'] as Fault[],
  // A busy machine may be slower than a scanner.
  timeoutMs: 60_000,
  packageUrl: new URL('./plugin.js', import.meta.url),
};

export const testBackendSuites = defineSuites([
  {
    kind: 'driver',
    name: 'the test backend of SANE',
    make,
    features,
  },
]);
