/** The order of an installation, and what Platen's own programs do in it. */

/** Of type 18: the source is an installed program. */
const program = 18;
const deferred = 1024; // with the system's rights, when files are there
const asSystem = 2048;
const ignoreFailure = 64;
const onRollback = 256;

/** Not when a newer version removes this one. */
const forGood = 'REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE';

/**
 * @param {string} service the key of platen-service.exe in the table File
 * @returns {{ tables: import('./database.mjs').Table[] }}
 */
export function steps(service) {
  const call = (name, sequence, condition, target, more = 0) => ({
    action: [name, program + deferred + asSystem + more, service, target, ''],
    step: [name, condition, sequence],
  });
  const calls = [
    call('PlatenStopDesktops', 1510, `Installed AND NOT (${forGood})`, 'desktops stop', ignoreFailure),
    call('PlatenRemoveDesktops', 1511, forGood, 'desktops remove', ignoreFailure),
    call('PlatenUndo', 1950, `${forGood} AND NOT REMOVEDATA`, 'undo', ignoreFailure),
    call('PlatenUndoAll', 1951, `${forGood} AND REMOVEDATA`, 'undo --all', ignoreFailure),
    call('PlatenUndoPrepare', 5840, 'NOT Installed AND NOT OLDERFOUND', 'undo', onRollback + ignoreFailure),
    call('PlatenPrepare', 5850, 'NOT REMOVE="ALL"', 'prepare --people "[SCANPEOPLE]"'),
    call('PlatenStartDesktops', 5950, 'NOT REMOVE="ALL"', 'desktops start', ignoreFailure),
  ];
  const actions = [
    ...calls.map(each => each.action),
    // 19: ends with a message; 51: sets a property.
    ['PlatenRejectOlder', 19, '', 'A newer version of Platen is installed. Remove it first.', ''],
    ['PlatenKeepPeople', 51, 'SCANPEOPLE', '[PEOPLEBEFORE]', ''],
    ['PlatenOnlyPeopleBefore', 51, 'SCANPEOPLE', '[PEOPLEBEFORE]', ''],
  ];
  return {
    tables: [
      {
        name: 'CustomAction',
        keys: 1,
        columns: ['Action:s72', 'Type:i2', 'Source:S72', 'Target:S255', 'ExtendedType:I4'],
        rows: actions,
      },
      sequence('InstallExecuteSequence', [...calls.map(each => each.step), ...own, ...always, ...change]),
      sequence('InstallUISequence', [...own, ...always, ['ExecuteAction', '', 1300]]),
      sequence('AdminExecuteSequence', [
        ...['CostInitialize', 'FileCost', 'CostFinalize'].map(name => always.find(each => each[0] === name)),
        ...['InstallValidate', 'InstallInitialize', 'InstallFiles', 'InstallFinalize'].map(name =>
          change.find(each => each[0] === name),
        ),
        ['InstallAdminPackage', '', 3900],
      ]),
    ],
  };
}

const sequence = (name, rows) => ({
  name,
  keys: 1,
  columns: ['Action:s72', 'Condition:S255', 'Sequence:I2'],
  rows,
});

const own = [
  ['PlatenRejectOlder', 'NEWERFOUND AND NOT Installed', 60],
  ['PlatenKeepPeople', 'PEOPLEBEFORE AND SCANPEOPLE=""', 70],
  // Any account may start a repair, which runs with the system's rights: what it says of people is not believed.
  ['PlatenOnlyPeopleBefore', 'Installed', 71],
];

const always = [
  ['AppSearch', '', 20],
  ['FindRelatedProducts', '', 50],
  ['LaunchConditions', '', 100],
  ['ValidateProductID', '', 700],
  ['CostInitialize', '', 800],
  ['FileCost', '', 900],
  ['CostFinalize', '', 1000],
];

/** The old version is removed first, in the same transaction: a failed update brings it back. */
const change = [
  ['InstallValidate', '', 1400],
  ['InstallInitialize', '', 1500],
  ['RemoveExistingProducts', '', 1525],
  ['ProcessComponents', '', 1600],
  ['UnpublishFeatures', '', 1800],
  ['StopServices', 'VersionNT', 1900],
  ['DeleteServices', 'VersionNT', 2000],
  ['RemoveRegistryValues', '', 2600],
  ['RemoveEnvironmentStrings', '', 3300],
  ['RemoveFiles', '', 3500],
  ['RemoveFolders', '', 3600],
  ['CreateFolders', '', 3700],
  ['InstallFiles', '', 4000],
  ['WriteRegistryValues', '', 5000],
  ['WriteEnvironmentStrings', '', 5200],
  ['InstallServices', 'VersionNT', 5800],
  ['StartServices', 'VersionNT', 5900],
  ['RegisterUser', '', 6000],
  ['RegisterProduct', '', 6100],
  ['PublishFeatures', '', 6300],
  ['PublishProduct', '', 6400],
  ['InstallFinalize', '', 6600],
];
