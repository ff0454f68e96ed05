import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Connection } from '../../../../src/store/connection.ts';
import { fakeConnections, sampleInstance } from '../../../support/fakeConnection.ts';
import { standFor } from '../../../support/standFor.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { openLink } = await import('../../../../src/editor/links/openLink.ts');

suite('link on a page, with two accounts on one forge', () => {
	setup(resetStub);

	test('uses the page’s account', async () => {
		const accounts = ['one', 'two'].map((key) => standFor<Connection>({ key, instance: sampleInstance }));
		const base = `${sampleInstance.areas.todo}/~alice/alpha/12`;
		for (const connectionKey of ['one', 'two']) {
			await openLink(fakeConnections(...accounts), { connectionKey, href: '7', base }, new AbortController().signal);
		}
		const ref = { tracker: { owner: '~alice', name: 'alpha' }, id: 7 };
		assert.deepEqual(
			stubbed.passed,
			['one', 'two'].map((connectionKey) => ({ kind: 'ticket', connectionKey, ref })),
		);
	});
});
