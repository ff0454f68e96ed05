import assert from 'node:assert/strict';
import type { LiveConnections } from '../../../../src/app/accounts/connections.ts';
import { fake } from '../../../support/fake.ts';
import { setImmediate } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { tellOfAccounts } from '../../../../src/app/accounts/tellOfAccounts.ts';
import { fakeConnection, fakeConnections } from '../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../support/fakeForge.ts';
import { standFor } from '../../../support/standFor.ts';

suite('account state for the shell', () => {
	test('stores whether an account exists before it fires the event', async () => {
		const connections = fakeConnections();
		const kept = new Map<string, unknown>();
		const writes: unknown[] = [];
		const storage = standFor<vscode.Memento>({
			get: (key: string) => kept.get(key),
			update: async (key: string, value: unknown) => {
				writes.push(value);
				kept.set(key, value);
			},
		});
		const told = tellOfAccounts(fake<LiveConnections>({ ...connections, ready: Promise.resolve() }), storage);
		const heard: unknown[] = [];
		told.onDidChange(() => heard.push(kept.get('forge.signedIn')));
		await setImmediate();
		assert.deepEqual(writes, []);
		connections.replace(fakeConnection(fakeTrackers().api));
		await setImmediate();
		connections.replace(...connections.all());
		await setImmediate();
		assert.deepEqual([writes, heard.at(-1)], [[true], true]);
		connections.replace();
		await setImmediate();
		assert.deepEqual([writes, heard.at(-1)], [[true, undefined], undefined]);
		told.dispose();
		connections.replace(fakeConnection(fakeTrackers().api));
		await setImmediate();
		assert.equal(writes.length, 2);
	});
});
