import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { TreeNode } from '../../../../src/editor/trees/treeNode.ts';
import type { Event, TreeView, TreeViewSelectionChangeEvent } from 'vscode';
import { Emitter } from '@forge-desk/base/event.ts';
import { nextTurn } from '@forge-desk/base/timeSlice.ts';
import { fake } from '../../../support/fake.ts';
import { commands, resetStub } from '../../../support/vscodeValues.ts';

const { rowsInFocus } = await import('../../../../src/editor/trees/rowsInFocus.ts');

/** A list like the editor's: a command toggles the focused row, and the event precedes the response. */
interface List {
	focus: string | undefined;
	selected: readonly string[];
	/** The selection for extensions, with new row objects at each access, as during constant redraws. */
	readonly selection: readonly TreeNode[];
	readonly changed: Emitter<TreeViewSelectionChangeEvent<TreeNode>>;
	readonly onDidChangeSelection: Event<TreeViewSelectionChangeEvent<TreeNode>>;
}

function listOf(focus: string | undefined, selected: readonly string[]): List {
	const changed = new Emitter<TreeViewSelectionChangeEvent<TreeNode>>();
	return {
		focus,
		selected,
		get selection() {
			return this.selected.map((id) => fake<TreeNode>({ id }));
		},
		changed,
		onDidChangeSelection: changed.event,
	};
}

const idsOf = async (rows: Promise<readonly TreeNode[] | undefined>): Promise<readonly string[] | undefined> =>
	(await rows)?.map(({ id }) => id);

suite('rows for a key', () => {
	const usual = { ...commands };
	setup(resetStub);
	teardown(() => void Object.assign(commands, usual));

	function toggling(list: List, before: (time: number) => void = () => undefined): void {
		let times = 0;
		commands.executeCommand = async (command: string) => {
			assert.equal(command, 'list.toggleSelection');
			await Promise.resolve();
			times += 1;
			before(times);
			const { focus, selected } = list;
			if (focus !== undefined) {
				list.selected = selected.includes(focus) ? selected.filter((row) => row !== focus) : [...selected, focus];
				list.changed.fire({ selection: list.selection });
			}
			// The response to one command is later than the effect of the next.
			await nextTurn();
		};
	}

	/** Reports other rows than the list's for the first `times` queries. */
	function telling(
		list: List,
		other: () => readonly string[],
		times: number,
	): Pick<List, 'selection' | 'onDidChangeSelection'> {
		const editor = { ...commands };
		let asked = 0;
		commands.executeCommand = async (command: string) => {
			await editor.executeCommand(command);
			asked += 1;
		};
		return {
			onDidChangeSelection: list.onDidChangeSelection,
			get selection() {
				return asked >= times ? list.selection : other().map((id) => fake<TreeNode>({ id }));
			},
		};
	}

	test('are the selected ones if the focus is on one of them, and they stay selected', async () => {
		const list = listOf('b', ['a', 'b', 'c']);
		toggling(list);
		assert.deepEqual(await idsOf(rowsInFocus(fake<TreeView<TreeNode>>(list))()), ['a', 'b', 'c']);
		assert.deepEqual(list.selected.toSorted(), ['a', 'b', 'c']);
	});

	test('are only the focused row outside the selection, which stays unchanged', async () => {
		const list = listOf('d', ['a', 'b']);
		toggling(list);
		assert.deepEqual(await idsOf(rowsInFocus(fake<TreeView<TreeNode>>(list))()), ['d']);
		assert.deepEqual(list.selected, ['a', 'b']);
		const none = listOf('d', []);
		toggling(none);
		assert.deepEqual(await idsOf(rowsInFocus(fake<TreeView<TreeNode>>(none))()), ['d']);
		assert.deepEqual(none.selected, []);
	});

	test('are the selected ones without a focused row', async () => {
		const list = listOf(undefined, ['a']);
		toggling(list);
		assert.deepEqual(await idsOf(rowsInFocus(fake<TreeView<TreeNode>>(list))()), ['a']);
	});

	test('are the selected ones if another list has the focus, which stays unchanged', async () => {
		const view = listOf(undefined, ['a']);
		const other = listOf('x', ['y']);
		toggling(other);
		assert.deepEqual(await idsOf(rowsInFocus(fake<TreeView<TreeNode>>(view))()), ['a']);
		assert.deepEqual(other.selected, ['y']);
	});

	for (const times of [1, 2, 3]) {
		test(`are the selected ones even if the editor reports the last click ${times} answers late`, async () => {
			const real = listOf('b', ['a', 'b']);
			toggling(real);
			const view = telling(real, () => ['a'], times);
			assert.deepEqual(await idsOf(rowsInFocus(fake<TreeView<TreeNode>>(view))()), ['a', 'b']);
		});

		test(`are the selected ones even if a redraw hides them for ${times} answers`, async () => {
			const real = listOf('b', ['a', 'b']);
			toggling(real);
			const view = telling(real, () => [], times);
			assert.deepEqual(await idsOf(rowsInFocus(fake<TreeView<TreeNode>>(view))()), ['a', 'b']);
		});
	}

	test('are undefined while the selection keeps changing', async () => {
		const list = listOf('b', ['a', 'b']);
		toggling(list, (time) => {
			list.selected = ['a', 'b', String(time)];
		});
		assert.equal(await idsOf(rowsInFocus(fake<TreeView<TreeNode>>(list))()), undefined);
	});

	test('cost one round trip to the editor, because both toggles leave at once', async () => {
		const list = listOf('b', ['a', 'b']);
		toggling(list);
		const editor = { ...commands };
		let waiting = 0;
		let together = 0;
		commands.executeCommand = async (command: string) => {
			waiting += 1;
			together = Math.max(together, waiting);
			await editor.executeCommand(command);
			waiting -= 1;
		};
		assert.deepEqual(await idsOf(rowsInFocus(fake<TreeView<TreeNode>>(list))()), ['a', 'b']);
		assert.equal(together, 2);
	});

	test('are never those that the user selects and releases at the same moment', async () => {
		const list = listOf('b', ['a', 'b']);
		toggling(list, () => {
			for (const selected of [['a', 'b', 'c'], list.selected]) {
				list.changed.fire({ selection: selected.map((id) => fake<TreeNode>({ id })) });
			}
		});
		assert.equal(await idsOf(rowsInFocus(fake<TreeView<TreeNode>>(list))()), undefined);
	});

	test('are correct for two keys in quick succession', async () => {
		const list = listOf('d', ['a', 'b']);
		toggling(list);
		const ask = rowsInFocus(fake<TreeView<TreeNode>>(list));
		assert.deepEqual(await Promise.all([idsOf(ask()), idsOf(ask())]), [['d'], ['d']]);
		assert.deepEqual(list.selected, ['a', 'b']);
	});

	test('are available again after a failure of the editor', async () => {
		const list = listOf('d', []);
		toggling(list, (time) => {
			if (time <= 2) {
				throw new Error('no such command');
			}
		});
		const ask = rowsInFocus(fake<TreeView<TreeNode>>(list));
		await assert.rejects(ask());
		assert.deepEqual(list.selected, []);
		assert.deepEqual(await idsOf(ask()), ['d']);
		assert.deepEqual(list.selected, []);
	});
});
