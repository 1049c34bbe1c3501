/** The sample documents as HTML; a CSS pixel is a pixel of the page at 200 dpi (Letter: 1700 x 2200). */
import { barcode } from './barcode.mjs';

const page = (style, body) => `<!doctype html><meta charset="utf-8"><style>
* { box-sizing: border-box; margin: 0; padding: 0 }
html, body { width: 1700px; height: 2200px; background: #fff; color: #1a1a1a; overflow: hidden }
body { position: relative; font: 30px/44px 'Liberation Sans' }
svg { display: block }
${style}</style>${body}`;

const mark = `<svg width="104" height="104" viewBox="0 0 26 26"><rect width="26" height="26" rx="4" fill="#14456b"/>
<path d="M5 18 L11 7 L15 14 L17 10.5 L21.5 18 Z" fill="#fff"/><rect x="5" y="20" width="16.5" height="1.6" fill="#e0a030"/></svg>`;

const head = `<header>${mark}<div><b>Northfield Instruments</b><span>Precision scales and laboratory balances</span></div>
<address>48 Harbour Street<br>Portland, ME 04101<br>+1 207 555 0142<br>office@northfield.example</address></header>`;
const headStyle = `header { position: absolute; left: 170px; top: 130px; width: 1360px; height: 150px; display: flex; gap: 28px; border-bottom: 3px solid #14456b }
header b { display: block; font: 700 46px/58px Lato; color: #14456b; margin-top: 2px } header span { font: 26px/36px Lato; color: #555 }
address { margin-left: auto; text-align: right; font: normal 23px/31px Lato; color: #444 }`;

export function letter() {
  const signature = `<svg width="430" height="150" viewBox="0 0 430 150" fill="none" stroke="#1c3f94" stroke-linecap="round" stroke-linejoin="round">
<path stroke-width="5" d="M38 112 C30 80 52 22 72 20 C92 18 84 66 60 92 C50 104 34 120 26 108 C20 98 60 78 92 70"/>
<path stroke-width="4" d="M92 70 C84 88 84 100 94 98 C106 94 108 74 110 70 C108 88 112 98 120 94 C130 88 130 72 134 68 C132 84 134 98 144 94 C154 90 158 70 150 68 C142 68 138 90 150 95 C162 98 172 84 178 74"/>
<path stroke-width="5" d="M206 110 C214 76 226 40 238 24 C226 62 216 96 214 112 M206 66 C240 50 292 26 288 50 C284 72 236 74 228 72 C250 76 268 96 284 102"/>
<path stroke-width="4" d="M284 102 C298 104 304 80 296 78 C284 78 284 102 298 102 C310 100 314 84 320 78 C316 92 318 104 328 100 C336 94 340 82 344 78 C342 92 344 102 354 98 C368 90 378 84 404 80"/>
<path stroke-width="3" d="M60 134 C150 122 280 120 398 126"/></svg>`;
  return page(
    `${headStyle} body { font: 31px/46px 'Liberation Serif' }
main { position: absolute; left: 220px; top: 370px; width: 1260px } p { margin-bottom: 27px; text-align: justify; hyphens: auto }
.to { line-height: 42px; margin-bottom: 50px; text-align: left } .date { position: absolute; right: 0; top: 0 } h1 { font: 700 32px/46px 'Liberation Serif'; margin-bottom: 26px }
footer { position: absolute; left: 170px; right: 170px; bottom: 90px; border-top: 2px solid #bbb; padding-top: 16px; font: 21px/30px Lato; color: #666; text-align: center }`,
    `${head}<main lang="en"><div class="date">March 4, 2026</div>
<p class="to">Ms. Eleanor Whitcombe<br>Head of Purchasing<br>Ashgrove Pharmaceuticals, Inc.<br>2210 Mill Creek Road<br>Burlington, VT 05401</p>
<h1>Calibration of your analytical balances, contract NI-2026-0318</h1>
<p>Dear Ms. Whitcombe,</p>
<p>Thank you for your letter of February 19 and for the confidence that you have placed in our service department for another
year. I am glad to confirm that our engineers will visit your laboratory in Burlington on Tuesday, March 24, and will calibrate all
fourteen analytical balances that are listed in the annex to the contract.</p>
<p>The work will take about six hours. We ask that the balances be switched on the evening before, so that they have reached
their working temperature, and that the weighing room be kept free of draughts. Each instrument will be adjusted with
reference weights of class E2, whose certificates we shall hand to you together with the results.</p>
<p>You asked whether the two older instruments on the third floor can still be certified for the range below 20 milligrams.
Having looked at last year&rsquo;s records, I believe that they can, provided that the draft shields are replaced. The cost of both
shields is $386.00, which includes fitting; please let me know by March 13 whether we should bring them along.</p>
<p>From this year on you will receive the calibration certificates as signed electronic documents. The paper copies remain
available on request and free of charge. Should your auditors prefer another form, we shall of course be happy to follow their
advice.</p>
<p>I look forward to seeing you on the 24th and remain, with kind regards,</p>
<p style="margin:44px 0 0">Sincerely yours,</p>${signature}
<p style="line-height:42px;margin-top:6px">Julian Farrow<br>Director of Customer Service</p></main>
<footer>Northfield Instruments LLC &middot; 48 Harbour Street, Portland, ME 04101 &middot; www.northfield.example &middot; ISO/IEC 17025 accredited</footer>`,
  );
}

const items = [
  ['NB-220', 'Analytical balance 220 g, readability 0.1 mg', 2, 2480],
  ['NB-DS4', 'Draft shield, glass, for NB series', 2, 193],
  ['CW-E2-S', 'Weight set class E2, 1 mg to 200 g, in case', 1, 1345],
  ['SV-CAL', 'Calibration on site, per instrument', 14, 118.5],
  ['SV-TRV', 'Travel, Portland to Burlington and back', 1, 260],
  ['AC-PRT', 'Thermal printer with serial cable', 1, 412.75],
  ['AC-PAP', 'Printer paper, box of 10 rolls', 3, 24.9],
];
const money = value => value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export async function invoice() {
  const net = items.reduce((sum, [, , count, price]) => sum + count * price, 0);
  const tax = Math.round(net * 5.5) / 100;
  const rows = items.map(
    ([code, what, count, price], i) =>
      `<tr><td>${i + 1}<td>${code}<td>${what}<td class="n">${count}<td class="n">${money(price)}<td class="n">${money(count * price)}`,
  );
  const number = 'INV-2026-00417';
  const bars = await barcode('Code128', number, { module: 3, height: 90 });
  const pay = await barcode('QRCode', `https://pay.northfield.example/${number}?amount=${(net + tax).toFixed(2)}&currency=USD`, { module: 7 });
  return page(
    `${headStyle} h1 { position: absolute; left: 170px; top: 350px; font: 700 68px/80px Lato; color: #14456b; letter-spacing: 2px }
.bars { position: absolute; right: 170px; top: 345px } .bars p { font: 24px/36px 'Liberation Mono'; text-align: center }
.to, .facts { position: absolute; top: 530px; font-size: 28px; line-height: 40px } .to { left: 170px } .facts { left: 990px; width: 540px; border-collapse: collapse }
.facts td + td, .n { text-align: right; white-space: nowrap } small { display: block; font-size: 22px; color: #666 }
.items { position: absolute; left: 170px; top: 830px; width: 1360px; border-collapse: collapse; font-size: 27px }
.items th { background: #14456b; color: #fff; text-align: left; font-weight: 700; padding: 10px 14px } .items th.n { text-align: right }
.items td { padding: 10px 14px; border-bottom: 2px solid #ccc } .items tr:nth-child(even) td { background: #f1f4f7 }
.sum { position: absolute; right: 170px; top: 1385px; width: 560px; border-collapse: collapse; font-size: 29px } .sum td { padding: 9px 14px }
.sum tr:last-child td { border-top: 4px solid #14456b; font-weight: 700; font-size: 34px; padding-top: 14px }
.pay { position: absolute; left: 170px; top: 1650px; display: flex; gap: 56px } .pay p { font-size: 26px; line-height: 39px; width: 900px } .stamp { position: absolute; left: 210px; top: 1405px; color: #b3261e; border: 6px solid #b3261e; border-radius: 14px;
font: 700 44px/62px Lato; padding: 6px 28px; transform: rotate(-7deg); letter-spacing: 4px; text-align: center } .stamp small { color: #b3261e; font: 26px/30px Lato; letter-spacing: 1px }
footer { position: absolute; left: 170px; right: 170px; bottom: 90px; border-top: 2px solid #bbb; padding-top: 16px; font: 21px/30px Lato; color: #666; text-align: center }`,
    `${head}<h1>INVOICE</h1><div class="bars">${bars}<p>${number}</p></div>
<div class="to"><small>Bill to</small><b>Ashgrove Pharmaceuticals, Inc.</b><br>Accounts Payable<br>2210 Mill Creek Road<br>Burlington, VT 05401</div>
<table class="facts"><tr><td>Invoice number<td>${number}<tr><td>Invoice date<td>March 27, 2026<tr><td>Order number<td>PO-88213<tr><td>Customer number<td>104 772<tr><td>Payment due<td>April 26, 2026</table>
<table class="items"><tr><th>#<th>Article<th>Description<th class="n">Qty<th class="n">Unit price<th class="n">Amount ($)</tr>${rows.join('</tr>')}</table>
<div class="stamp">RECEIVED<small>APR 02 2026</small></div>
<table class="sum"><tr><td>Subtotal<td class="n">${money(net)}<tr><td>Sales tax 5.5%<td class="n">${money(tax)}<tr><td>Total due (USD)<td class="n">${money(net + tax)}</table>
<div class="pay">${pay}<p><b>How to pay</b><br>Scan the code with your banking application, or transfer the total to<br>Casco Bay Savings Bank, routing 000 111 222, account 4471 0098 13,<br>
and state the invoice number. A discount of 2% is granted for payment<br>within ten days. Goods remain our property until they are paid in full.<br>Questions? Call +1 207 555 0147, Monday to Friday, 8 am to 5 pm.</p></div>
<footer>Northfield Instruments LLC &middot; Tax ID 00-0000000 &middot; Page 1 of 1</footer>`,
  );
}

/** What the labels page shows: zxing's format, its usual name, text, and how it is drawn. */
export const labels = [
  ['Code128', 'Code 128', 'DN-2026-00917', { module: 3 }],
  ['Code39', 'Code 39', 'PALLET-07', { module: 3 }],
  ['Code93', 'Code 93', 'BIN 4C-118', { module: 4 }],
  ['Codabar', 'Codabar', 'A40156B', { module: 5 }],
  ['ITF', 'ITF (carton)', '15400141288763', { module: 4 }],
  ['EAN13', 'EAN-13', '4006381333931', { module: 4 }],
  ['EAN8', 'EAN-8', '96385074', { module: 4 }],
  ['UPCA', 'UPC-A', '036000291452', { module: 4 }],
  ['UPCE', 'UPC-E', '01234565', { module: 5 }],
  ['QRCode', 'QR Code', 'https://track.example/DN-2026-00917', { module: 6 }],
  ['DataMatrix', 'Data Matrix', 'LOT 0226-B / SN 48812', { module: 8, options: 'forceSquare' }],
  ['Aztec', 'Aztec', 'GATE 12 BAY 3', { module: 8 }],
  ['PDF417', 'PDF417', 'SHIP TO: ASHGROVE, BURLINGTON VT; 3 CARTONS; 41.5 KG', { module: 4, options: 'columns=4' }],
];

export async function delivery() {
  const cells = [];
  for (const [format, name, text, look] of labels) {
    cells.push(`<figure class="${format}"><b>${name}</b>${await barcode(format, text, { height: 96, ...look })}<figcaption>${text}</figcaption></figure>`);
  }
  return page(
    `${headStyle} h1 { position: absolute; left: 170px; top: 325px; font: 700 56px/66px Lato; color: #14456b } .facts { position: absolute; left: 170px; top: 405px; width: 1360px; font-size: 26px; line-height: 38px; color: #333 }
main { position: absolute; left: 170px; top: 510px; width: 1360px; height: 1540px; display: grid; grid-template-columns: 680px 680px; grid-template-rows: repeat(4, 205px) repeat(2, 225px) 1fr; border: 2px solid #888 }
figure { border: 1px solid #bbb; padding: 14px 44px 0; position: relative } figure b { display: block; font: 700 22px/32px Lato; color: #555; margin-bottom: 10px } figcaption { font: 25px/38px 'Liberation Mono'; margin-top: 6px; white-space: nowrap }
.QRCode, .DataMatrix, .Aztec { display: grid; grid-template-columns: 240px 1fr; align-content: start } .QRCode b, .DataMatrix b, .Aztec b { grid-column: 1 / 3; margin-bottom: 6px }
.QRCode figcaption, .DataMatrix figcaption, .Aztec figcaption { align-self: center; white-space: normal; overflow-wrap: anywhere; font-size: 22px; line-height: 30px }
.PDF417 { grid-column: 1 / 3 } footer { position: absolute; left: 170px; right: 170px; bottom: 80px; font: 21px/30px Lato; color: #666; text-align: center }`,
    `${head}<h1>Delivery note</h1><div class="facts">DN-2026-00917 of March 23, 2026 &middot; order PO-88213 &middot; 3 cartons, 41.5 kg<br>Labels for goods in, stock and carriage. Please check the seals before you sign.</div>
<main>${cells.join('')}</main><footer>Northfield Instruments LLC &middot; Delivery note DN-2026-00917 &middot; Page 1 of 1</footer>`,
  );
}

/** @param picture a data URL, 1360 x 900 */
export function photo(picture) {
  return page(
    `body { font: 30px/46px 'Liberation Serif' } h2 { position: absolute; left: 170px; top: 130px; font: 700 27px/40px Lato; letter-spacing: 5px; color: #8a3b12 } h1 { position: absolute; left: 170px; top: 180px; font: 700 72px/88px 'Liberation Serif' }
.lead { position: absolute; left: 170px; top: 280px; width: 1360px; font: italic 34px/48px 'Liberation Serif'; color: #444 } img { position: absolute; left: 170px; top: 410px; width: 1360px; height: 900px }
.caption { position: absolute; left: 170px; top: 1322px; width: 1360px; font: 24px/34px Lato; color: #555 } .text { position: absolute; left: 170px; top: 1400px; width: 1360px; height: 630px; columns: 2; column-gap: 60px; column-fill: auto; text-align: justify; hyphens: auto }
.text p + p { text-indent: 40px } footer { position: absolute; left: 170px; right: 170px; bottom: 90px; display: flex; justify-content: space-between; font: 22px/30px Lato; color: #666 }`,
    `<h2>THE NORTHERN TRAVELLER</h2><h1>An evening at Lake Arrin</h1><p class="lead">Two hours on foot from the last road, the water lies so still that the mountains come twice.</p>
<img src="${picture}"><p class="caption"><b>Figure 1.</b> Lake Arrin from the eastern shore, shortly before sunset. The snow on the main ridge stays until late July.</p>
<div class="text" lang="en"><p>Whoever comes up the valley in the afternoon has the sun in his face and sees little of the mountains. It is worth sitting down on the stones
of the eastern shore and waiting. Towards seven the light turns the colour of apricots, the wind drops, and the lake begins to do what it is famous for.</p>
<p>The hut keeper, who has spent thirty summers here, says that there are nine such evenings in a good year. We had one on our second day. For a quarter of an hour
nobody spoke. Then a fish jumped, the picture broke into rings, and the first lamps were lit in the hut.</p>
<p>The path is well marked and asks for no more than sturdy shoes. From the car park at the saw mill it follows the stream through larch and birch, crosses it three
times on plank bridges, and climbs the last three hundred metres in wide bends. Take water with you: the springs above the tree line run dry in August.</p>
<p>The hut has forty beds, and at weekends all of them are taken. Those who come on a weekday share the long table with the keeper&rsquo;s family, and are asked to wash up afterwards.</p></div>
<footer><span>The Northern Traveller &middot; Autumn 2026</span><span>17</span></footer>`,
  );
}
