/** How many plugins are in which state, for people and for figures. */
import type { PluginReport } from '@platen/core';

type State = PluginReport['state'];

/** After a count; in the order in which they are said. */
const words: Readonly<Record<State, string>> = {
  loaded: 'loaded',
  disabled: 'switched off',
  skipped: 'not for this system',
  unlicensed: 'not licensed',
  refused: 'failed',
};
export const pluginStates = Object.keys(words) as readonly State[];

export const countOf = (reports: readonly PluginReport[], state: State): number =>
  reports.filter(report => report.state === state).length;

/** `10 loaded, 2 switched off`; states without a plugin are left out. */
export function statesSentence(reports: readonly PluginReport[]): string {
  return pluginStates
    .map(state => ({ state, count: countOf(reports, state) }))
    .filter(({ state, count }) => count > 0 || state === 'loaded')
    .map(({ state, count }) => `${count} ${words[state]}`)
    .join(', ');
}
