import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { PeopleContext } from '../../../../src/features/people/peopleContext.ts';
import type { Connection } from '../../../../src/store/connection.ts';
import { fakeConnections, sampleInstance } from '../../../support/fakeConnection.ts';
import { standFor } from '../../../support/standFor.ts';

const { personTarget } = await import('../../../../src/features/people/peopleFeature.ts');

suite('person target', () => {
	test('uses the given account of a name, or the first account', async () => {
		const connections = fakeConnections(
			...['one', 'two'].map((key) => standFor<Connection>({ key, instance: sampleInstance })),
		);
		const { signal } = new AbortController();
		const meant = (subject: unknown): Promise<unknown> =>
			personTarget(standFor<PeopleContext>({ connections }), subject, signal);
		assert.deepEqual(await meant({ connectionKey: 'two', name: '~bob' }), {
			kind: 'person',
			connectionKey: 'two',
			name: '~bob',
		});
		assert.deepEqual(await meant('~bob'), { kind: 'person', connectionKey: 'one', name: '~bob' });
	});
});
