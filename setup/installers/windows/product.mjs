/** What the installer says of itself, and what it sets in Windows beside files: the service, the registry, PATH. */
import { guid, upgradeCode } from './identifier.mjs';

const LOCAL_MACHINE = 2;
const windowsKey = 'SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion';
const runKey = 'Software\\Microsoft\\Windows\\CurrentVersion\\Run';

/**
 * @param {object} options
 * @param {string} options.version such as 1.2.3
 * @param {string} options.website
 * @param {import('./installedFiles.mjs').InstalledFile} options.service platen-service.exe
 * @param {import('./installedFiles.mjs').InstalledFile} options.desktop platen-desktop.exe
 * @param {import('./installedFiles.mjs').InstalledFile} options.command platen.cmd
 * @param {number} options.count of files
 * @returns {import('./database.mjs').Table[]}
 */
export function product({ version, website, service, desktop, command, count }) {
  return [
    ...identity(version, website),
    ...contents(count),
    ...registry(service, desktop),
    ...found(),
    ...environment(command),
    ...windowsService(service),
  ];
}

/** What it is, where it installs, and which versions it replaces. */
function identity(version, website) {
  return [
    table(
      'Property',
      1,
      ['Property:s72', 'Value:l0'],
      [
        ['ProductName', 'Platen'],
        ['ProductVersion', version],
        ['ProductLanguage', '1033'],
        ['ProductCode', guid(`product ${version}`)],
        ['UpgradeCode', upgradeCode],
        ['Manufacturer', 'Platen'],
        ['ALLUSERS', '1'],
        ['ARPNOMODIFY', '1'],
        ['ARPURLINFOABOUT', website],
        // Platen ends its own programs, in every session, before their files are replaced.
        ['MSIRESTARTMANAGERCONTROL', 'Disable'],
        ['SecureCustomProperties', 'NEWERFOUND;OLDERFOUND;REMOVEDATA;SCANPEOPLE;WINDOWSMAJOR'],
      ],
    ),
    table(
      'LaunchCondition',
      1,
      ['Condition:s255', 'Description:l255'],
      [
        ['VersionNT64', 'Platen needs a 64-bit Windows.'],
        // Windows Installer itself takes each later Windows for 8.1, which has no such value; Wine has 6 for older ones.
        ['Installed OR (WINDOWSMAJOR AND WINDOWSMAJOR <> "#6")', 'Platen needs Windows 10 or later.'],
        ['Privileged', 'Platen is installed for all accounts of this computer. Run this as an administrator.'],
      ],
    ),
    // 1: keeps features; 256: the lowest version belongs to it; 2: only detects.
    table(
      'Upgrade',
      5,
      [
        'UpgradeCode:s38',
        'VersionMin:S20',
        'VersionMax:S20',
        'Language:S255',
        'Attributes:i4',
        'Remove:S255',
        'ActionProperty:s72',
      ],
      [
        [upgradeCode, '0.0.0', version, '', 1 + 256, '', 'OLDERFOUND'],
        [upgradeCode, version, '', '', 2, '', 'NEWERFOUND'],
      ],
    ),
  ];
}

/** Everything is one feature in one cabinet. */
function contents(count) {
  return [
    table(
      'Feature',
      1,
      [
        'Feature:s38',
        'Feature_Parent:S38',
        'Title:L64',
        'Description:L255',
        'Display:I2',
        'Level:i2',
        'Directory_:S72',
        'Attributes:i2',
      ],
      [['Platen', '', 'Platen', '', 1, 1, 'PROGRAM', 0]],
    ),
    table(
      'Media',
      1,
      ['DiskId:i2', 'LastSequence:i2', 'DiskPrompt:L64', 'Cabinet:S255', 'VolumeLabel:S32', 'Source:S72'],
      [[1, count, '', '#platen.cab', '', '']],
    ),
  ];
}

/** What it writes into the registry. */
function registry(service, desktop) {
  return [
    table(
      'Registry',
      1,
      ['Registry:s72', 'Root:i2', 'Key:l255', 'Name:L255', 'Value:L0', 'Component_:s72'],
      [
        ['RunDesktop', LOCAL_MACHINE, runKey, 'Platen', `"[#${desktop.key}]"`, desktop.component],
        ['ScanPeople', LOCAL_MACHINE, 'Software\\Platen', 'ScanPeople', '[SCANPEOPLE]', service.component],
      ],
    ),
  ];
}

/** What it looks for in the registry before it decides. */
function found() {
  return [
    table(
      'AppSearch',
      2,
      ['Property:s72', 'Signature_:s72'],
      [
        ['PEOPLEBEFORE', 'ScanPeople'],
        ['WINDOWSMAJOR', 'WindowsMajor'],
      ],
    ),
    // 2: as it is; 16: of the 64-bit half of the registry.
    table(
      'RegLocator',
      1,
      ['Signature_:s72', 'Root:i2', 'Key:s255', 'Name:S255', 'Type:I2'],
      [
        ['ScanPeople', LOCAL_MACHINE, 'Software\\Platen', 'ScanPeople', 2 + 16],
        ['WindowsMajor', LOCAL_MACHINE, windowsKey, 'CurrentMajorVersionNumber', 2 + 16],
      ],
    ),
    table(
      'Signature',
      1,
      [
        'Signature:s72',
        'FileName:s255',
        'MinVersion:S20',
        'MaxVersion:S20',
        'MinSize:I4',
        'MaxSize:I4',
        'MinDate:I4',
        'MaxDate:I4',
        'Languages:S255',
      ],
      [],
    ),
  ];
}

/** PATH. */
function environment(command) {
  return [
    // Set at installation, removed at removal, of the computer; appended to what is there.
    table(
      'Environment',
      1,
      ['Environment:s72', 'Name:l255', 'Value:L255', 'Component_:s72'],
      [['Path', '=-*PATH', '[~];[PROGRAM]', command.component]],
    ),
  ];
}

/** The service, and when it is started and stopped. */
function windowsService(service) {
  return [
    table(
      'ServiceInstall',
      1,
      [
        ...['ServiceInstall:s72', 'Name:s255', 'DisplayName:L255', 'ServiceType:i4', 'StartType:i4', 'ErrorControl:i4'],
        ...['LoadOrderGroup:S255', 'Dependencies:S255', 'StartName:S255', 'Password:S255', 'Arguments:S255'],
        ...['Component_:s72', 'Description:L255'],
      ],
      [
        [
          // A process of its own, started with the computer; a failed start is logged.
          ...['Platen', 'Platen', 'Platen scanner service', 16, 2, 1],
          ...['', '', 'NT AUTHORITY\\LocalService', '', 'run'],
          ...[service.component, 'Lets web applications in the browsers of this computer use its scanners.'],
        ],
      ],
    ),
    table(
      'ServiceControl',
      1,
      ['ServiceControl:s72', 'Name:l255', 'Event:i2', 'Arguments:L255', 'Wait:I2', 'Component_:s72'],
      [
        // Stopped before files change (2) and before removal (32), then removed (128): waits for each.
        ['Stop', 'Platen', 2 + 32 + 128, '', 1, service.component],
        // Started (1) without waiting: a port in use does not undo an installation.
        ['Start', 'Platen', 1, '', 0, service.component],
      ],
    ),
  ];
}

const table = (name, keys, columns, rows) => ({ name, keys, columns, rows });
