/** The controls of the settings that every scanner has, such as resolution, colour and file format. */
import { nothing, type TemplateResult } from 'lit-html';
import type { Context } from '../context.js';
import { choice, numberField, segments, switchControl, type Drawn } from '../pieces/controls.js';
import { offersOf } from './offers.js';
import { formatsFor, isFixed, type Shown } from './parameters.js';
import type { Settings } from './settings.js';
import { ranges, type Values } from './settingValues.js';
import { valueWord, wordOr } from './settingWords.js';

type SwitchName = { [Name in keyof Values]: Values[Name] extends boolean ? Name : never }[keyof Values];

const levels = ['Low', 'Normal', 'High', 'VeryHigh'] as const;

/** Those that the embedder sets are nothing, and so are those that the scanner and software cannot do. */
export type BasicControls = Readonly<Record<keyof Values, Drawn>>;

export function basicControls(settings: Settings, shown: Shown, { words }: Context): BasicControls {
  const { can, values } = shown;
  const offers = offersOf(can);
  const fixed = settings.fixed();
  const formats = formatsFor(shown, fixed);

  const options = <Name extends keyof Values>(name: Name, hint?: string) => ({
    id: `control-${name}`,
    label: words(`settings.${name}`),
    value: values[name],
    hint,
    onChange: (value: Values[Name]) => settings.set(name, value),
  });
  const choices = <T extends string | number>(offered: readonly T[], textOf: (value: T) => string) =>
    offered.map(value => ({ value, text: textOf(value) }));
  const wordsFor = <T extends string>(offered: readonly T[]) => choices(offered, value => valueWord(words, value));

  /** @returns a sentence */
  const whyMissing = (kind: (typeof offers.missing)[number]): string => {
    const reason = `settings.off.${settings.whyOff(kind)}`;
    return wordOr(words, reason, words(`settings.missing.${kind}`));
  };
  const switchFor = (name: SwitchName, missing?: 'barcode' | 'ocr'): TemplateResult => {
    const isMissing = missing !== undefined && offers.missing.includes(missing);
    return switchControl(options(name, isMissing ? whyMissing(missing) : undefined), isMissing);
  };
  const improvementFor = (name: (typeof offers.improvements)[number]): Drawn =>
    offers.improvements.includes(name) ? switchFor(name) : nothing;

  const numberFor = (name: 'jpegQuality' | 'requestTimeoutSeconds', empty: number): TemplateResult => {
    const { onChange, ...others } = options(name, words(`settings.hint.${name}`, ranges[name]));
    return numberField({
      ...others,
      ...ranges[name],
      empty,
      onChange: value => onChange(value ?? empty),
    });
  };

  const drawn: Readonly<Record<keyof Values, () => Drawn>> = {
    resolution: () =>
      choice(
        choices(offers.resolutions, value => valueWord(words, value, 'resolution')),
        options('resolution'),
      ),
    colorMode: () =>
      segments(
        choices(offers.colorModes, value =>
          value === 'BlackAndWhite' ? words('settings.value.BlackAndWhite.short') : valueWord(words, value),
        ),
        options('colorMode'),
      ),
    duplexMode: () =>
      settings.isFlatbed || !can.supportsDuplex ? nothing : choice(wordsFor(offers.sides), options('duplexMode')),
    pageSize: () => choice(wordsFor(offers.sizes), options('pageSize')),
    imageFormat: () =>
      choice(
        choices(formats.offered, value => value.toUpperCase()),
        { ...options('imageFormat', wordOr(words, `settings.hint.${formats.chosen}`, '')), value: formats.chosen },
      ),
    jpegQuality: () => numberFor('jpegQuality', values.jpegQuality),
    barcodeReadingEnabled: () => switchFor('barcodeReadingEnabled', 'barcode'),
    barcodeFilterLevel: () =>
      choice(
        choices(levels, value => words(`settings.level.${value}`)),
        options('barcodeFilterLevel'),
      ),
    barcodeStopAfterFirst: () => switchFor('barcodeStopAfterFirst'),
    ocrEnabled: () => switchFor('ocrEnabled', 'ocr'),
    blankPages: () =>
      choice(
        wordsFor(offers.blanks),
        options(
          'blankPages',
          offers.missing.includes('blank') ? whyMissing('blank') : words(`settings.hint.${values.blankPages}`),
        ),
      ),
    requestTimeoutSeconds: () => numberFor('requestTimeoutSeconds', values.requestTimeoutSeconds),
    autoRotate: () => improvementFor('autoRotate'),
    autoDeskew: () => improvementFor('autoDeskew'),
    autoCrop: () => improvementFor('autoCrop'),
  };
  return Object.fromEntries(
    Object.entries(drawn).map(([name, draw]) => [name, isFixed(fixed, name as keyof Values) ? nothing : draw()]),
  ) as BasicControls;
}
