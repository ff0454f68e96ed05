import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import {
	filterSetting,
	ticketFilters,
	type FilterSetting,
	type TicketFilters,
} from '../../../../../src/features/tickets/choices/ticketFilters.ts';
import { fakeConnection, fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { fakeFilterSetting, fakeKept } from '../../../../support/fakeTicketsParts.ts';
import { standFor } from '../../../../support/standFor.ts';

const alpha = { owner: '~alice', name: 'alpha' };
const account = 'sample-alice';

/** An editor without user settings; `first` is the default value. */
function editorWith(first: readonly unknown[]): typeof vscode.workspace {
	let globalValue: unknown;
	return standFor<typeof vscode.workspace>({
		getConfiguration: () => ({
			inspect: () => ({ defaultValue: first, globalValue, workspaceValue: undefined }),
			update: async (_key: string, value: unknown) => {
				globalValue = value;
			},
		}),
		onDidChangeConfiguration: () => ({ dispose: () => undefined }),
		workspaceFolders: [],
	});
}

interface Made {
	readonly filters: TicketFilters;
	readonly setting: FilterSetting;
	readonly kept: ReturnType<typeof fakeKept>;
	/** All reported states: true while a filter is applied. */
	readonly told: boolean[];
}

function made(setting = fakeFilterSetting(), kept = fakeKept()): Made {
	const told: boolean[] = [];
	const connections = fakeConnections(fakeConnection(fakeTrackers().api));
	const filters = ticketFilters(setting, connections, kept, (isFiltered) => void told.push(isFiltered));
	return { filters, setting, kept, told };
}

suite('applied filters', () => {
	test('keeps one filter per tracker and one for all trackers', async () => {
		const { filters } = made();
		await filters.setOnTracker(account, alpha, 'label:"needs work" crash');
		await filters.setOnTracker(account, { owner: '~alice', name: 'alpha-two' }, 'status:any');
		await filters.setOnAll('no:assignee');
		assert.equal(filters.onTracker(account, alpha), 'label:"needs work" crash');
		assert.equal(filters.onTracker('sample-bob', alpha), undefined);
		assert.equal(filters.onAll(), 'no:assignee');
	});

	test('restores the filters in the next window', async () => {
		const first = made();
		await first.filters.setOnTracker(account, alpha, 'crash');
		const second = made(first.setting, first.kept);
		assert.equal(second.filters.onTracker(account, alpha), 'crash');
		assert.deepEqual(second.told, [true]);
	});

	test('reports whether any filter is applied, for the menus', async () => {
		const { filters, told } = made();
		await filters.setOnTracker(account, alpha, 'crash');
		await filters.setOnAll('bug');
		await filters.setOnTracker(account, alpha, undefined);
		await filters.clear();
		assert.deepEqual([told[0], told[1], told.at(-2), told.at(-1)], [false, true, true, false]);
	});

	test('ignores a stored filter that this version cannot parse', () => {
		const kept = fakeKept();
		void kept(account).keep(['~alice/alpha new-key:value']);
		const { filters, told } = made(fakeFilterSetting(), kept);
		assert.equal(filters.onTracker(account, alpha), undefined);
		assert.deepEqual(told, [false]);
	});
});

suite('saved filters', () => {
	test('lists user filters first, then workspace filters, and invalid ones with their problem', () => {
		const { filters } = made(
			fakeFilterSetting({
				user: [{ name: 'Mine', filter: 'assigned:me' }, { name: 'Odd', filter: 'lable:x' }, 7, { filter: 'a' }],
				workspace: [{ name: 'Ours', filter: 'no:assignee' }],
			}),
		);
		assert.deepEqual(
			filters.saved().map(({ name, where, problem }) => [name, where, problem?.kind]),
			[
				['Mine', 'user', undefined],
				['Odd', 'user', 'unknownKey'],
				['#3', 'user', 'notAnEntry'],
				['#4', 'user', 'notAnEntry'],
				['Ours', 'workspace', undefined],
			],
		);
	});

	test('saving adds or replaces one entry and keeps all others as written', async () => {
		const { filters, setting } = made(fakeFilterSetting({ user: [7, { name: 'A', filter: 'x', note: 'mine' }] }));
		assert.ok(await filters.save('user', { name: 'B', filter: 'y' }, 'B'));
		assert.ok(await filters.save('user', { name: 'A2', filter: 'z' }, 'A'));
		assert.deepEqual(setting.read('user'), [7, { name: 'A2', filter: 'z', note: 'mine' }, { name: 'B', filter: 'y' }]);
		assert.equal(setting.read('workspace'), undefined);
	});

	test('deleting removes one entry, and the setting with its last one', async () => {
		const { filters, setting } = made(
			fakeFilterSetting({ workspace: [{ name: 'A', filter: 'x' }], user: [{ name: 'A', filter: 'y' }, 7] }),
		);
		assert.ok(await filters.remove('workspace', 'A'));
		assert.equal(setting.read('workspace'), undefined);
		assert.ok(await filters.remove('user', 'A'));
		assert.deepEqual(setting.read('user'), [7]);
		assert.equal(await filters.remove('user', 'A'), false);
	});

	test('saving or deleting keeps the other default filters, and deleted ones never return', async () => {
		const { filters, setting } = made(
			filterSetting(
				editorWith([
					{ name: 'A', filter: 'x' },
					{ name: 'B', filter: 'y' },
				]),
			),
		);
		const names = (): readonly string[] => filters.saved().map(({ name, where }) => `${where} ${name}`);
		assert.deepEqual(names(), ['user A', 'user B']);
		assert.ok(await filters.save('user', { name: 'C', filter: 'z' }, 'C'));
		assert.deepEqual(names(), ['user A', 'user B', 'user C']);
		assert.ok(await filters.remove('user', 'B'));
		assert.deepEqual(names(), ['user A', 'user C']);
		assert.ok(await filters.remove('user', 'A'));
		assert.ok(await filters.remove('user', 'C'));
		assert.deepEqual([names(), setting.read('user')], [[], []]);
	});

	test('shows a setting that is no array as invalid, and never overwrites it', async () => {
		const { filters, setting } = made(fakeFilterSetting({ user: { name: 'A' } }));
		assert.deepEqual(
			filters.saved().map(({ problem }) => problem?.kind),
			['notAnEntry'],
		);
		assert.equal(await filters.save('user', { name: 'B', filter: 'y' }, 'B'), false);
		assert.deepEqual(setting.read('user'), { name: 'A' });
	});

	test('fires when the setting changes', async () => {
		const { filters, setting } = made();
		let changes = 0;
		filters.onDidChange(() => (changes += 1));
		await setting.write('user', []);
		assert.equal(changes, 1);
	});
});
