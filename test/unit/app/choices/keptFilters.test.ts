import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { fakeConnection, fakeConnections } from '../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../support/fakeForge.ts';
import { standFor } from '../../../support/standFor.ts';
import { resetStub } from '../../../support/vscodeValues.ts';

const { keptFilters } = await import('../../../../src/app/openDesk.ts');

suite('saved filters of an account', () => {
	setup(resetStub);

	test('never change after the account is gone, unlike the filter over all trackers', async () => {
		const kept = new Map<string, unknown>();
		const storage = standFor<vscode.Memento>({
			get: (key: string) => kept.get(key),
			update: async (key: string, value: unknown) => void kept.set(key, value),
		});
		const connections = fakeConnections(fakeConnection(fakeTrackers().api));
		const filters = keptFilters(storage, connections);
		const alpha = { owner: '~alice', name: 'alpha' };
		await filters.setOnTracker('sample-alice', alpha, 'crash');
		assert.equal(filters.onTracker('sample-alice', alpha), 'crash');
		kept.clear();
		connections.replace();
		await filters.setOnTracker('sample-alice', alpha, 'crash');
		assert.deepEqual([...kept.keys()], []);
		await filters.setOnAll('no:assignee');
		assert.equal(filters.onAll(), 'no:assignee');
		filters.dispose();
	});
});
