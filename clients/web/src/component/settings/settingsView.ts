/** The settings as controls: those of the selected scanner, without what the embedder sets. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Context } from '../context.js';
import { button } from '../pieces/button.js';
import { choice, fold, group, isDrawn, type Drawn } from '../pieces/controls.js';
import { basicControls } from './basicView.js';
import { pluginControls } from './pluginsView.js';
import type { Known } from './parameters.js';
import type { Settings } from './settings.js';
import { sourceControls } from './sourceView.js';

export function settingsView(settings: Settings, context: Context): TemplateResult {
  const { shown, known, absent } = settings;
  const { words } = context;
  if (!shown || !known) return html`<p class="none">${absent ? words(absent) : nothing}</p>`;
  const basic = basicControls(settings, shown, context);
  const source = sourceControls(settings, shown, context);
  const pair: readonly Drawn[] = [basic.resolution, basic.pageSize];
  return html`${profileChoice(settings, known, context)}
    <div class="controls">
      ${source.source}${basic.colorMode} ${pair.every(isDrawn) ? html`<div class="pair">${pair}</div>` : pair}
      ${source.preview}${source.area}${source.sheets}${basic.duplexMode}${basic.imageFormat}
      ${source.light}${source.driverOptions}
      ${group(words('settings.group.improve'), [basic.autoRotate, basic.autoDeskew, basic.autoCrop])}
      ${group(words('settings.group.read'), [basic.barcodeReadingEnabled, basic.ocrEnabled])}
      ${group(words('settings.group.plugins'), pluginControls(settings, shown, context))} ${basic.blankPages}
      ${fold(words('settings.group.more'), [
        basic.barcodeFilterLevel,
        basic.barcodeStopAfterFirst,
        basic.jpegQuality,
        basic.requestTimeoutSeconds,
        separatorSheet(settings, known, context),
      ])}
    </div>`;
}

/** Nothing without profiles. */
function profileChoice({ fixed, shown, chooseProfile }: Settings, { profiles }: Known, { words }: Context): Drawn {
  const names = Object.keys(profiles);
  if (names.length === 0 || fixed().profile !== undefined) return nothing;
  return choice(
    [{ value: '', text: words('settings.profile.none') }, ...names.map(value => ({ value, text: value }))],
    {
      id: 'control-profile',
      label: words('settings.profile'),
      value: shown?.profileName ?? '',
      onChange: chooseProfile,
    },
  );
}

/** It is a PDF, which the service writes. */
function separatorSheet({ onSeparatorSheet }: Settings, { can }: Known, { words }: Context): Drawn {
  if (!can.details?.documents.some(({ format }) => format === 'pdf')) return nothing;
  const save = button(words('settings.separatorSheet'), onSeparatorSheet, { icon: 'save', class: 'ghost small' });
  return html`<div>
    ${save}
    <p class="hint">${words('settings.hint.separatorSheet')}</p>
  </div>`;
}
