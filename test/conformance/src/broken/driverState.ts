/** Drivers that describe their device wrongly. */
import { type Capabilities, ScanError, type Session, type SourceCapabilities } from '@platen/core/plugin';
import { shortTimeout, withSession, type BrokenDriver } from './brokenDriver.js';

const source: SourceCapabilities = {
  resolutions: [300, 600],
  colorModes: ['Grayscale'],
  duplex: true,
  pageSizes: ['A4'],
  adjustments: [],
};

const withCapabilities = (capabilities: Capabilities) =>
  withSession(() => ({ capabilities: async () => capabilities }));

export const driverState: readonly BrokenDriver[] = [
  {
    breaks: 'capabilities-are-well-formed',
    how: 'names resolutions in the order of its dialog',
    says: /feeder: resolutions are not ascending: 600, 300/,
    make: withCapabilities({ feeder: { ...source, resolutions: [600, 300] } }),
  },
  {
    breaks: 'capabilities-are-well-formed',
    how: 'uses words of its own',
    says: /feeder: colorModes have Lineart; known are Color, Grayscale, BlackAndWhite/,
    make: withCapabilities({ feeder: { ...source, colorModes: ['Lineart' as 'Color'] } }),
  },
  {
    breaks: 'capabilities-are-well-formed',
    how: 'names no source',
    says: /capabilities should have a source \(feeder, flatbed or both\), but have none/,
    make: withCapabilities({}),
  },
  {
    breaks: 'capabilities-agree-with-the-device',
    how: 'forgets the flatbed',
    says: /features say flatbed: true; capabilities say otherwise/,
    make: withCapabilities({ feeder: source }),
  },
  {
    breaks: 'status-is-well-formed',
    how: 'uses words of its own',
    says: /status: paper is "ready"/,
    make: withSession(() => ({ status: async () => ({ online: true, paper: 'ready' as 'loaded' }) })),
  },
  {
    breaks: 'status-tells-of-paper',
    how: 'guesses that there is paper',
    says: /the feeder is empty, but status says loaded/,
    make: withSession(() => ({ status: async () => ({ online: true, paper: 'loaded' }) })),
  },
  {
    breaks: 'status-tells-of-paper',
    how: 'remembers the sensor from when it was opened',
    says: /a sheet was loaded, but status says empty/,
    make: withSession(session => {
      let first: ReturnType<Session['status']> | undefined;
      return { status: call => (first ??= session.status(call)) };
    }),
  },
  {
    breaks: 'status-is-legal-while-scanning',
    how: 'ends the scan to ask the sensor',
    says: /pages of the scan after status was asked: expected/,
    make: withSession(session => {
      let asked = false;
      return {
        status(call) {
          asked = true;
          return session.status(call);
        },
        async *scan(order, call) {
          for await (const page of session.scan(order, call)) {
            yield page;
            if (asked) return;
          }
        },
      };
    }),
  },
  {
    breaks: 'status-is-legal-while-scanning',
    how: 'answers only when it is idle',
    says: /status while a page is awaited should answer, but fails: busy/,
    make: withSession(session => {
      let scanning = false;
      return {
        async status(call) {
          if (scanning) throw new ScanError('busy', 'busy scanning');
          return session.status(call);
        },
        async *scan(order, call) {
          scanning = true;
          yield* session.scan(order, call);
        },
      };
    }),
  },
  {
    breaks: 'status-watch-can-be-ended',
    how: 'returns nothing from watch',
    says: /the session's watch returns no function/,
    make: withSession(() => ({ watch: (() => {}) as unknown as NonNullable<Session['watch']> })),
  },
  {
    breaks: 'status-watch-tells-of-paper',
    how: 'tells of its button only',
    says: /the event `paper` of the session's watch, after a sheet was loaded: nothing came/,
    features: shortTimeout,
    make: withSession(session => ({
      watch: onEvent => session.watch!(event => event !== 'paper' && onEvent(event)),
    })),
  },
  {
    breaks: 'status-watch-tells-of-paper',
    how: 'goes on when its watch was ended',
    says: /events that the session's watch told of after it was ended: expected 0, but got 1/,
    make: withSession(session => ({
      watch(onEvent) {
        session.watch!(onEvent);
        return () => {};
      },
    })),
  },
];
