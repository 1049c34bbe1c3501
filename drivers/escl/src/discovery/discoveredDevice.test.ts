/** The contract's Device made from what a scanner says of itself. */
import t from 'tap';
import { capabilitiesOfFixture } from '../fixtures.test.kit.js';
import { deviceOf } from './discoveredDevice.js';
import { configuredEndpoint } from './endpoint.js';

t.test('HP: manufacturer and model, from one text; feeder, flatbed and duplex', async t => {
  const endpoint = configuredEndpoint('http://192.0.2.1');
  const capabilities = capabilitiesOfFixture('hp-officejet');
  t.match(deviceOf({ endpoint, capabilities }, 'continuous'), {
    name: 'HP OfficeJet Pro 9010 series',
    manufacturer: 'HP',
    model: 'OfficeJet Pro 9010 series',
    online: true,
    feeder: true,
    flatbed: true,
    duplex: true,
  });
});
