/**
 * Preloaded into platen (`--import`): its clock is CLOCK_DAYS days ahead. SIGUSR2 moves it on by CLOCK_STEP days and
 * calls what runs once an hour.
 */
const DAY_MS = 24 * 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;

const Real = Date;
let ahead = Number(process.env['CLOCK_DAYS'] ?? 0) * DAY_MS;

globalThis.Date = new Proxy(Real, {
  construct: (real, args: [], target) =>
    Reflect.construct(real, args.length === 0 ? [real.now() + ahead] : args, target) as Date,
  get: (real, name): unknown => (name === 'now' ? () => real.now() + ahead : Reflect.get(real, name)),
});

const hourly: (() => void)[] = [];
const { setInterval: real } = globalThis;
globalThis.setInterval = ((work: () => void, ms?: number, ...args: []) => {
  if (ms === HOUR_MS) hourly.push(work);
  return real(work, ms, ...args);
}) as typeof setInterval;

process.on('SIGUSR2', () => {
  ahead += Number(process.env['CLOCK_STEP'] ?? 0) * DAY_MS;
  for (const each of hourly) each();
});
