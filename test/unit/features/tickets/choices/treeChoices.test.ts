import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import {
	firstChoice,
	shownTickets,
	treeChoices,
	type TreeChoice,
} from '../../../../../src/features/tickets/choices/treeChoices.ts';
import { keptInMemory } from '../../../../support/fakeConnection.ts';
import { standFor } from '../../../../support/standFor.ts';

const alpha = { owner: '~alice', name: 'alpha' } as const;
const byLabel: TreeChoice = { grouping: 'label', order: { key: 'updated', isReversed: true } };

suite('tree choices', () => {
	test('remembers a choice per tracker across restarts, ignoring case', async () => {
		const kept = keptInMemory();
		await treeChoices(() => kept).choose('a', alpha, byLabel);
		const later = treeChoices(() => kept);
		assert.deepEqual(later.of('a', { owner: '~alice', name: 'Alpha' }), byLabel);
		assert.deepEqual(later.of('a', { owner: '~alice', name: 'beta' }), firstChoice);
	});

	test('two windows keep each other’s choices', async () => {
		const kept = keptInMemory();
		const [one, other] = [treeChoices(() => kept), treeChoices(() => kept)];
		await one.choose('a', alpha, byLabel);
		await other.choose('a', { owner: '~alice', name: 'beta' }, byLabel);
		assert.deepEqual(one.of('a', alpha), byLabel);
		assert.deepEqual(one.of('a', { owner: '~alice', name: 'beta' }), byLabel);
	});

	test('resets the choices when sign-out empties the store', async () => {
		const kept = keptInMemory();
		const choices = treeChoices(() => kept);
		await choices.choose('a', alpha, byLabel);
		await kept.write('');
		assert.deepEqual(choices.of('a', alpha), firstChoice);
	});

	test('forgets the choice for one tracker, and fires only when one existed', async () => {
		const kept = keptInMemory();
		const choices = treeChoices(() => kept);
		const beta = { owner: '~alice', name: 'beta' };
		await choices.choose('a', alpha, byLabel);
		await choices.choose('a', beta, byLabel);
		const told: unknown[] = [];
		choices.onDidChange((change) => told.push(change));
		await choices.forget('a', { owner: '~alice', name: 'Alpha' });
		await choices.forget('a', alpha);
		assert.deepEqual([choices.of('a', alpha), choices.of('a', beta), told.length], [firstChoice, byLabel, 1]);
		assert.deepEqual(treeChoices(() => kept).of('a', alpha), firstChoice);
	});

	for (const damaged of [
		'{',
		'[]',
		'{"~alice/alpha":{"grouping":"moon","order":{"key":"number"}}}',
		'{"~alice/alpha":1}',
	]) {
		test(`ignores damaged storage (${damaged})`, () => {
			assert.deepEqual(treeChoices(() => keptInMemory(damaged)).of('a', alpha), firstChoice);
		});
	}

	test('opens trackers with the tickets that the setting names, and with open ones for an invalid value', () => {
		let value: unknown;
		let change: (what: vscode.ConfigurationChangeEvent) => void = () => undefined;
		const shown = shownTickets(
			standFor<typeof vscode.workspace>({
				getConfiguration: (section: string) => ({
					get: (key: string) => (`${section}.${key}` === 'forge.tickets.show' ? value : ''),
				}),
				onDidChangeConfiguration(listener: typeof change) {
					change = listener;
					return { dispose: () => undefined };
				},
			}),
		);
		const seen = [undefined, 'all', 'open', 7].map((each) => {
			value = each;
			return shown.now();
		});
		assert.deepEqual(seen, ['open', 'all', 'open', 'open']);
		let changes = 0;
		shown.onDidChange(() => (changes += 1));
		for (const changed of ['forge.filters', 'forge.tickets.show']) {
			change({ affectsConfiguration: (name) => name === changed });
		}
		assert.equal(changes, 1);
	});
});
