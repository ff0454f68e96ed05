import assert from 'node:assert/strict';
import { webhookSettings } from '../../../../src/features/webhooks/webhookContext.ts';
import { standFor } from '../../../support/standFor.ts';

type Workspace = Parameters<typeof webhookSettings>[0];

/** Fixed user settings. */
function settingsOf(values: Readonly<Record<string, unknown>>): ReturnType<typeof webhookSettings> {
	return webhookSettings(
		standFor<Workspace>({ getConfiguration: () => ({ get: (key: string): unknown => values[key] }) }),
	);
}

suite('webhook settings', () => {
	test('returns all values, trimmed', () => {
		const { isOn, port, address, publicAddress } = settingsOf({
			'webhooks.receive': true,
			'webhooks.port': 65_535,
			'webhooks.listenAddress': ' ::1 ',
			'webhooks.publicAddress': 'https://hooks.example/',
		}).current();
		assert.deepEqual([isOn, port, address], [true, 65_535, '::1']);
		assert.equal(publicAddress.kind, 'address');
	});

	test('receives nothing by default, and listens on this computer only', () => {
		const { isOn, port, address } = settingsOf({}).current();
		assert.deepEqual([isOn, port, address], [false, 0, '127.0.0.1']);
	});

	for (const port of [0, -1, 65_536, 80.5, '4711', null]) {
		test(`uses any free port for the invalid port ${JSON.stringify(port)}`, () => {
			assert.equal(settingsOf({ 'webhooks.port': port }).current().port, 0);
		});
	}
});
