/** What a configuration leaves out that pages and people count on: warnings, because a computer may be meant so. */
import type { Contribution } from '@platen/core';

export type Gap = 'documents' | 'png' | 'desktop';

/** What does not work without it, and what is missing. */
const sentences: Readonly<Record<Gap, string>> = {
  documents: 'No loaded plugin writes documents: pages cannot be saved as PDF',
  png: 'No loaded plugin writes PNG: requests that name no format are rejected',
  desktop: 'No loaded plugin connects the desktop application: scanners of TWAIN are not listed',
};

/** @param loaded what the loaded plugins provide */
export function gapsOf(loaded: readonly Contribution[], platform: NodeJS.Platform): readonly Gap[] {
  const has = (kind: Contribution['kind'], id?: string): boolean =>
    loaded.some(each => each.kind === kind && (id === undefined || each.id === id));
  const gaps: readonly (Gap | false)[] = [
    !has('document') && 'documents',
    !has('format', 'Png') && 'png',
    platform === 'win32' && !has('driver', 'desktop') && 'desktop',
  ];
  return gaps.filter(each => each !== false);
}

export const gapsSentence = (gaps: readonly Gap[]): string => gaps.map(each => sentences[each]).join('. ');

/** @param file the configuration */
export const gapsRemedy = (file: string): string =>
  `${file} replaces the shipped configuration as a whole. To add to that one instead, write "extends": "shipped" in it.`;
