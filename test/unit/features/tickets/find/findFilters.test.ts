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

/** An editor in which nobody has set anything; `first` is the default of the setting. */
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
	/** Whether anything was applied, each time that was told. */
	readonly told: boolean[];
}

function made(setting = fakeFilterSetting(), kept = fakeKept()): Made {
	const told: boolean[] = [];
	const connections = fakeConnections(fakeConnection(fakeTrackers().api));
	const filters = ticketFilters(setting, connections, kept, (isFiltered) => void told.push(isFiltered));
	return { filters, setting, kept, told };
}

suite('applied filters', () => {
	test('a tracker has its own filter, and all trackers together have one', async () => {
		const { filters } = made();
		await filters.setOnTracker(account, alpha, 'label:"needs work" crash');
		await filters.setOnTracker(account, { owner: '~alice', name: 'alpha-two' }, 'status:any');
		await filters.setOnAll('no:assignee');
		assert.equal(filters.onTracker(account, alpha), 'label:"needs work" crash');
		assert.equal(filters.onTracker('sample-bob', alpha), undefined);
		assert.equal(filters.onAll(), 'no:assignee');
	});

	test('they outlive the window', async () => {
		const first = made();
		await first.filters.setOnTracker(account, alpha, 'crash');
		const second = made(first.setting, first.kept);
		assert.equal(second.filters.onTracker(account, alpha), 'crash');
		assert.deepEqual(second.told, [true]);
	});

	test('whoever shows menus hears whether anything is applied', async () => {
		const { filters, told } = made();
		await filters.setOnTracker(account, alpha, 'crash');
		await filters.setOnAll('bug');
		await filters.setOnTracker(account, alpha, undefined);
		await filters.clear();
		assert.deepEqual([told[0], told[1], told.at(-2), told.at(-1)], [false, true, true, false]);
	});

	test('what another version kept and this one cannot read is as good as none', () => {
		const kept = fakeKept();
		void kept(account).keep(['~alice/alpha new-key:value']);
		const { filters, told } = made(fakeFilterSetting(), kept);
		assert.equal(filters.onTracker(account, alpha), undefined);
		assert.deepEqual(told, [false]);
	});
});

suite('saved filters', () => {
	test("the user's come first, then the workspace's, and what is wrong is there with its problem", () => {
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

	test('saving adds one or replaces one and leaves everything else as it is written', async () => {
		const { filters, setting } = made(fakeFilterSetting({ user: [7, { name: 'A', filter: 'x', note: 'mine' }] }));
		assert.ok(await filters.save('user', { name: 'B', filter: 'y' }, 'B'));
		assert.ok(await filters.save('user', { name: 'A2', filter: 'z' }, 'A'));
		assert.deepEqual(setting.read('user'), [7, { name: 'A2', filter: 'z', note: 'mine' }, { name: 'B', filter: 'y' }]);
		assert.equal(setting.read('workspace'), undefined);
	});

	test('deleting takes the one entry away, and the setting with the last', async () => {
		const { filters, setting } = made(
			fakeFilterSetting({ workspace: [{ name: 'A', filter: 'x' }], user: [{ name: 'A', filter: 'y' }, 7] }),
		);
		assert.ok(await filters.remove('workspace', 'A'));
		assert.equal(setting.read('workspace'), undefined);
		assert.ok(await filters.remove('user', 'A'));
		assert.deepEqual(setting.read('user'), [7]);
		assert.equal(await filters.remove('user', 'A'), false);
	});

	test('those that are there from the start stay when one is saved or deleted, and none comes back', async () => {
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

	test('a setting that is no list is shown as wrong and never written over', async () => {
		const { filters, setting } = made(fakeFilterSetting({ user: { name: 'A' } }));
		assert.deepEqual(
			filters.saved().map(({ problem }) => problem?.kind),
			['notAnEntry'],
		);
		assert.equal(await filters.save('user', { name: 'B', filter: 'y' }, 'B'), false);
		assert.deepEqual(setting.read('user'), { name: 'A' });
	});

	test('a change of the setting is told', async () => {
		const { filters, setting } = made();
		let changes = 0;
		filters.onDidChange(() => (changes += 1));
		await setting.write('user', []);
		assert.equal(changes, 1);
	});
});
