/** ScannerStatus, and the URLs in a device's responses. */
import t from 'tap';
import { adfStates, detectedOf } from './adfStates.js';
import { locationOf, pathOf, readScannerStatus } from './scannerStatus.js';

t.test('readScannerStatus: state, feeder and jobs', async t => {
  const status = readScannerStatus(
    Buffer.from(`<?xml version="1.0" encoding="UTF-8"?><scan:ScannerStatus xmlns:scan="a" xmlns:pwg="b"><pwg:Version>2.6</pwg:Version><pwg:State>Processing</pwg:State>
      <scan:AdfState>ScannerAdfLoaded</scan:AdfState><scan:Jobs><scan:JobInfo><pwg:JobUri>http://192.0.2.9:8080/eSCL/ScanJobs/1/</pwg:JobUri><pwg:ImagesToTransfer>2</pwg:ImagesToTransfer>
      <pwg:JobState>Processing</pwg:JobState><pwg:JobStateReasons><pwg:JobStateReason>JobScanning</pwg:JobStateReason></pwg:JobStateReasons></scan:JobInfo></scan:Jobs></scan:ScannerStatus>`),
  );
  t.strictSame(status, {
    state: 'Processing',
    adf: 'ScannerAdfLoaded',
    jobs: [{ path: '/eSCL/ScanJobs/1', state: 'Processing', reasons: ['JobScanning'], imagesToTransfer: 2 }],
  });
  t.strictSame(readScannerStatus(Buffer.from('<ScannerStatus/>')), { state: '', adf: '', jobs: [] });
});

t.test('pathOf: the path only, no other host', async t => {
  t.equal(pathOf('/eSCL/ScanJobs/7'), '/eSCL/ScanJobs/7');
  t.equal(pathOf('http://evil.example:81/eSCL/ScanJobs/7/?a=b#c'), '/eSCL/ScanJobs/7');
  t.equal(pathOf('//evil.example/x'), '/x');
  t.equal(pathOf('\\\\evil.example\\x'), '/x');
  t.equal(pathOf('/a b\r\nX: y'), '/a%20bX:%20y');
  t.equal(pathOf('../../up'), '/up');
  for (const bad of [
    '',
    'http://',
    'file:///etc/passwd',
    'http://[',
    `/${'x'.repeat(3000)}`,
    'http://evil.example',
    '/',
  ])
    t.equal(pathOf(bad), undefined, bad.slice(0, 30));
});

t.test('locationOf: relative, with a query, or with a truncated IPv6 address', async t => {
  const at = (address: string) => locationOf(address, '/eSCL/ScanJobs');
  t.equal(at('ScanJobs/7'), '/eSCL/ScanJobs/7');
  t.equal(at('http://evil.example:81/eSCL/ScanJobs/7/?a=b%20c#d'), '/eSCL/ScanJobs/7?a=b%20c');
  t.equal(at('http://[fe80/eSCL/ScanJobs/7'), '/eSCL/ScanJobs/7');
  t.equal(at('http://[fe80::1]/eSCL/ScanJobs/7'), '/eSCL/ScanJobs/7');
  t.equal(at('http://[//evil.example/x'), '/x');
});

t.test('detectedOf: faults of an idle feeder', async t => {
  t.strictSame(
    Object.keys(adfStates).map(state => detectedOf(state)),
    [
      undefined,
      undefined,
      undefined,
      'paper-jam',
      'paper-jam',
      'cover-open',
      'cover-open',
      'double-feed',
      undefined,
      undefined,
      undefined,
      undefined,
    ],
  );
  t.equal(detectedOf('ScannerAdfOnFire'), undefined);
});
