/** What a trace has of a device's XML. */
import t from 'tap';
import { readScannerStatus } from '../protocol/scannerStatus.js';
import { tracedXml } from './traceXml.js';

const ns = 'xmlns:scan="http://schemas.hp.com/imaging/escl/2011/05/03"';

t.test('tracedXml: texts that are not words of eSCL are removed', async t => {
  const traced = tracedXml(`<?xml version="1.0" encoding="UTF-8"?><!-- admin:hunter2 -->
<scan:ScannerStatus ${ns} owner="Anna"><scan:SerialNumber>123456</scan:SerialNumber>
<scan:AdminURI>http://printer.acme.example/?token=abc</scan:AdminURI><scan:Note><![CDATA[Dear Mrs Smith]]></scan:Note>
<scan:Location>Ward 7</scan:Location>< a href='http://anna:pw@x/'>Anna</a>
<pwg:State>Idle</pwg:State><scan:AdfState>ScannerAdfLoaded</scan:AdfState><scan:MaxWidth>2550</scan:MaxWidth></scan:ScannerStatus>`);
  for (const secret of ['hunter2', 'Anna', '123456', 'acme', 'token', 'Smith', 'Ward', 'pw@'])
    t.notOk(traced.includes(secret), secret);
  t.match(traced, /<pwg:State>Idle<\/pwg:State><scan:AdfState>ScannerAdfLoaded<\/scan:AdfState>/);
  t.match(traced, /<scan:MaxWidth>2550</);
  t.match(traced, new RegExp(ns));
});

t.test('tracedXml: the driver reads the same; what is broken stays broken', async t => {
  const whole = `<scan:ScannerStatus ${ns}><pwg:State>Idle</pwg:State><scan:Jobs><scan:JobInfo><pwg:JobUri>/eSCL/1</pwg:JobUri></scan:JobInfo></scan:Jobs></scan:ScannerStatus>`;
  t.strictSame(readScannerStatus(Buffer.from(tracedXml(whole))), readScannerStatus(Buffer.from(whole)));
  const broken = [
    whole.slice(0, -4),
    whole.replace('</pwg:State>', ''),
    `<!DOCTYPE x [<!ENTITY a "b">]>${whole}`,
    '<',
    '',
  ];
  for (const each of broken) {
    t.throws(() => readScannerStatus(Buffer.from(each)), each);
    t.throws(() => readScannerStatus(Buffer.from(tracedXml(each))), tracedXml(each));
  }
});
