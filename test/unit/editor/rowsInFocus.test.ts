import '../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { commands, resetStub } from '../../support/vscodeValues.ts';

const { rowsInFocus } = await import('../../../src/editor/rowsInFocus.ts');

/** A list as the editor has it: a command turns the row in focus on or off, and tells so before it answers. */
interface List {
	focus: string | undefined;
	selection: readonly string[];
}

suite('the rows that a key means', () => {
	const usual = { ...commands };
	setup(resetStub);
	teardown(() => void Object.assign(commands, usual));

	function toggling(list: List, fails: (time: number) => boolean = () => false): void {
		let times = 0;
		commands.executeCommand = async (command: string) => {
			assert.equal(command, 'list.toggleSelection');
			await Promise.resolve();
			times += 1;
			if (fails(times)) {
				throw new Error('no such command');
			}
			const { focus, selection } = list;
			if (focus !== undefined) {
				list.selection = selection.includes(focus) ? selection.filter((row) => row !== focus) : [...selection, focus];
			}
			await Promise.resolve();
		};
	}

	test('are those that are selected, when the focus is on one of them, and stay selected', async () => {
		const list: List = { focus: 'b', selection: ['a', 'b', 'c'] };
		toggling(list);
		assert.deepEqual(await rowsInFocus(list)(), ['a', 'b', 'c']);
		assert.deepEqual(list.selection.toSorted(), ['a', 'b', 'c']);
	});

	test('are the row in focus alone, when it is none of them, and the selection is as it was', async () => {
		const list: List = { focus: 'd', selection: ['a', 'b'] };
		toggling(list);
		assert.deepEqual(await rowsInFocus(list)(), ['d']);
		assert.deepEqual(list.selection, ['a', 'b']);
		const none: List = { focus: 'd', selection: [] };
		toggling(none);
		assert.deepEqual(await rowsInFocus(none)(), ['d']);
		assert.deepEqual(none.selection, []);
	});

	test('are the selected ones, when nothing is in focus', async () => {
		const list: List = { focus: undefined, selection: ['a'] };
		toggling(list);
		assert.deepEqual(await rowsInFocus(list)(), ['a']);
	});

	test('are the selected ones, when another list has the focus, which is left as it was', async () => {
		const view: List = { focus: undefined, selection: ['a'] };
		const other: List = { focus: 'x', selection: ['y'] };
		toggling(other);
		assert.deepEqual(await rowsInFocus(view)(), ['a']);
		assert.deepEqual(other.selection, ['y']);
	});

	test('are those that are selected, though the editor tells of the last click only now', async () => {
		const real: List = { focus: 'b', selection: ['a', 'b'] };
		toggling(real);
		let isTold = false;
		const editor = { ...commands };
		commands.executeCommand = async (command: string) => {
			await editor.executeCommand(command);
			isTold = true;
		};
		const view = {
			get selection() {
				return isTold ? real.selection : ['a'];
			},
		};
		assert.deepEqual(await rowsInFocus(view)(), ['a', 'b']);
	});

	test('are told right to two keys that come at once', async () => {
		const list: List = { focus: 'd', selection: ['a', 'b'] };
		toggling(list);
		const ask = rowsInFocus(list);
		assert.deepEqual(await Promise.all([ask(), ask()]), [['d'], ['d']]);
		assert.deepEqual(list.selection, ['a', 'b']);
	});

	test('can be asked for again after the editor failed', async () => {
		const list: List = { focus: 'd', selection: [] };
		toggling(list, (time) => time === 1);
		const ask = rowsInFocus(list);
		await assert.rejects(ask());
		assert.deepEqual(list.selection, []);
		assert.deepEqual(await ask(), ['d']);
		assert.deepEqual(list.selection, []);
	});
});
