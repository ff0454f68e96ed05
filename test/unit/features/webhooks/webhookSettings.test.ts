import assert from 'node:assert/strict';
import { webhookSettings } from '../../../../src/features/webhooks/webhookDesk.ts';
import { standFor } from '../../../support/standFor.ts';

type Workspace = Parameters<typeof webhookSettings>[0];

/** Fixed user settings. */
function settingsOf(values: Readonly<Record<string, unknown>>): ReturnType<typeof webhookSettings> {
	return webhookSettings(
		standFor<Workspace>({ getConfiguration: () => ({ get: (key: string): unknown => values[key] }) }),
	);
}

suite('the settings of webhooks', () => {
	test('are taken as they are', () => {
		const { isOn, port, address, publicAddress, pushMessage } = settingsOf({
			'webhooks.receive': true,
			'webhooks.port': 65_535,
			'webhooks.listenAddress': ' ::1 ',
			'webhooks.publicAddress': 'https://hooks.example/',
			'webhooks.pushMessage': 'Thanks ',
		}).wish();
		assert.deepEqual([isOn, port, address, pushMessage], [true, 65_535, '::1', 'Thanks']);
		assert.equal(publicAddress.kind, 'address');
	});

	test('that are missing receive nothing, and would on this computer alone', () => {
		const { isOn, port, address, pushMessage } = settingsOf({}).wish();
		assert.deepEqual([isOn, port, address, pushMessage], [false, 0, '127.0.0.1', '']);
	});

	for (const port of [0, -1, 65_536, 80.5, '4711', null]) {
		test(`a port that there is not, ${JSON.stringify(port)}, is any free one`, () => {
			assert.equal(settingsOf({ 'webhooks.port': port }).wish().port, 0);
		});
	}
});
