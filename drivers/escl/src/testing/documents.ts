/** The device's XML documents: ScannerCapabilities and ScannerStatus. */
import { levelRanges, type Area, type Build } from './options.js';
import type { Job } from './jobs.js';

const spaces = [
  'xmlns:pwg="http://www.pwg.org/schemas/2010/12/sm"',
  'xmlns:scan="http://schemas.hp.com/imaging/escl/2011/05/03"',
].join(' ');
const VERSION = '2.63';

export function capabilities(build: Build): string {
  const { uuid, model, flatbed, feeder, flatbedArea, feederArea } = build;
  return document('scan:ScannerCapabilities', [
    element('pwg:Version', VERSION),
    element('pwg:MakeAndModel', model),
    element('pwg:SerialNumber', uuid.slice(0, 8)),
    element('scan:UUID', uuid),
    ...(flatbed ? [`<scan:Platen>${inputCaps('scan:PlatenInputCaps', flatbedArea, build)}</scan:Platen>`] : []),
    ...(feeder === 'none' ? [] : ['<scan:Adf>', inputCaps('scan:AdfSimplexInputCaps', feederArea, build)]),
    ...(feeder === 'duplex' ? [inputCaps('scan:AdfDuplexInputCaps', feederArea, build)] : []),
    ...(feeder === 'none' ? [] : ['<scan:FeederCapacity>50</scan:FeederCapacity>', adfOptions(build), '</scan:Adf>']),
    ...(build.levels ? Object.entries(levelRanges).map(support) : []),
  ]);
}

function support([name, [min, max, normal, step]]: [string, readonly [number, number, number, number]]): string {
  const range = Object.entries({ Min: min, Max: max, Normal: normal, Step: step });
  const inner = range.map(([each, value]) => element(`scan:${each}`, String(value))).join('');
  return `<scan:${name}Support>${inner}</scan:${name}Support>`;
}

function adfOptions({ sensor, feeder }: Build): string {
  const options = [...(sensor ? ['DetectPaperLoaded'] : []), ...(feeder === 'duplex' ? ['Duplex'] : [])];
  return `<scan:AdfOptions>${options.map(each => element('scan:AdfOption', each)).join('')}</scan:AdfOptions>`;
}

function inputCaps(name: string, { width, height }: Area, { colorModes, formats, resolutions }: Build): string {
  const modes = colorModes.map(each => element('scan:ColorMode', each)).join('');
  const documents = ['pwg:DocumentFormat', 'scan:DocumentFormatExt']
    .flatMap(tag => formats.map(each => element(tag, each)))
    .join('');
  const steps = resolutions.map(
    dpi =>
      `<scan:DiscreteResolution><scan:XResolution>${dpi}</scan:XResolution><scan:YResolution>${dpi}</scan:YResolution></scan:DiscreteResolution>`,
  );
  return [
    `<${name}>`,
    `<scan:MinWidth>16</scan:MinWidth><scan:MaxWidth>${width}</scan:MaxWidth>`,
    `<scan:MinHeight>16</scan:MinHeight><scan:MaxHeight>${height}</scan:MaxHeight>`,
    '<scan:MaxScanRegions>1</scan:MaxScanRegions>',
    `<scan:SettingProfiles><scan:SettingProfile><scan:ColorModes>${modes}</scan:ColorModes>`,
    `<scan:DocumentFormats>${documents}</scan:DocumentFormats>`,
    `<scan:SupportedResolutions><scan:DiscreteResolutions>${steps.join('')}</scan:DiscreteResolutions></scan:SupportedResolutions>`,
    '</scan:SettingProfile></scan:SettingProfiles>',
    '<scan:SupportedIntents><scan:Intent>Document</scan:Intent><scan:Intent>Photo</scan:Intent></scan:SupportedIntents>',
    `<scan:MaxOpticalXResolution>${Math.max(...resolutions)}</scan:MaxOpticalXResolution>`,
    `<scan:MaxOpticalYResolution>${Math.max(...resolutions)}</scan:MaxOpticalYResolution>`,
    `</${name}>`,
  ].join('');
}

export interface Condition {
  /** Undefined without a sensor. */
  readonly adf: string | undefined;
  readonly jobs: readonly Job[];
  readonly jobsPath: string;
}

export function status({ adf, jobs, jobsPath }: Condition): string {
  const running = jobs.some(({ state }) => state === 'Processing');
  return document('scan:ScannerStatus', [
    element('pwg:Version', VERSION),
    element('pwg:State', running ? 'Processing' : 'Idle'),
    ...(adf === undefined ? [] : [element('scan:AdfState', adf)]),
    `<scan:Jobs>${jobs.map(job => jobInfo(job, jobsPath)).join('')}</scan:Jobs>`,
  ]);
}

function jobInfo({ id, state, reason, images, due }: Job, jobsPath: string): string {
  return [
    '<scan:JobInfo>',
    element('pwg:JobUri', `${jobsPath}/${id}`),
    element('pwg:JobUuid', id),
    '<scan:Age>1</scan:Age>',
    element('pwg:ImagesCompleted', String(images)),
    element('pwg:ImagesToTransfer', String(due.length)),
    element('pwg:JobState', state),
    `<pwg:JobStateReasons>${element('pwg:JobStateReason', reason)}</pwg:JobStateReasons>`,
    '</scan:JobInfo>',
  ].join('');
}

function document(root: string, parts: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} ${spaces}>${parts.join('\n')}</${root}>\n`;
}

function element(name: string, text: string): string {
  return `<${name}>${text.replace(/[&<>]/g, each => `&#${each.charCodeAt(0)};`)}</${name}>`;
}
