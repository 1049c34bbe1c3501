/** The door for programs that carry a driver's answers between processes, or check them: fields, and what is read from them. */
export { readArea } from './checks/areaFields.js';
export { checkedDriver } from './checks/checkedDriver.js';
export { readCapabilities, readDevice, readStatus } from './checks/deviceFields.js';
export {
  countOf,
  type Fields,
  fieldsOf,
  flagOf,
  MOST_TEXT,
  optional,
  textOf,
  wordOf,
  wordsOf,
} from './checks/fields.js';
export { readOptionValues } from './checks/optionFields.js';
export { type PageHead, readPage } from './checks/pageFields.js';
export { hardwareControls, pageControls, transferModes } from './contract/controls.js';
export { pageWork } from './contract/page.js';
export { knownKinds } from './contract/recogniser.js';
export { adjustments, duplexModes } from './contract/words.js';
export { wrapDriver, wrapSession } from './contract/wrap.js';
export { imageFault } from './images/imageFault.js';
