/** The request for a preview: the whole flatbed, as fast as the scanner can. */
import type { Capabilities, DriverOption, ScanParameters } from '../../client/shapes.js';

/** Below this, a page is too coarse to draw on, dpi. */
const LEAST_DPI = 50;
/** Of a picture that is only looked at. */
const QUALITY = 75;

/** @param can with details, of a scanner whose flatbed has an area */
export function previewParameters({ resolutions, colorModes, details }: Capabilities): ScanParameters {
  const flatbed = details?.sources.flatbed;
  const { width = 0, height = 0 } = flatbed?.area ?? {};
  const options = Object.fromEntries((flatbed?.driverOptions ?? []).flatMap(optionFor));
  const formats = details?.formats.map(({ name }) => name) ?? [];
  return {
    source: 'Flatbed',
    area: { x: 0, y: 0, width, height },
    resolution: Math.min(...resolutions.filter(dpi => dpi >= LEAST_DPI)),
    colorMode: colorModes.includes('Color') ? 'Color' : 'Grayscale',
    imageFormat: formats.includes('Jpeg') ? 'Jpeg' : (formats[0] ?? 'Png'),
    jpegQuality: QUALITY,
    ...(Object.keys(options).length > 0 && { driverOptions: options }),
  };
}

/** SANE's well-known option, and eSCL's intent. */
function optionFor({ name, type, values }: DriverOption): readonly (readonly [string, string | boolean])[] {
  if (name === 'preview' && type === 'boolean') return [[name, true]];
  if (name === 'Intent' && values?.includes('Preview')) return [[name, 'Preview']];
  return [];
}
