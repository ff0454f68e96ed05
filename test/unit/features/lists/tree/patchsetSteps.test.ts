import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { titleIn } from '../../../../support/labelInName.ts';
import { fake } from '../../../../support/fake.ts';
import type { TreeNode } from '../../../../../src/editor/trees/treeNode.ts';
import type { PatchsetSubject } from '../../../../../src/features/lists/subjects/subjects.ts';
import type { ListChoice } from '../../../../../src/store/lists/keptListChoices.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeLists, listConnection } from '../../../../support/fakeLists.ts';
import { listsParts, noPages } from '../../../../support/fakeListsParts.ts';
import { makeList, makePatchset } from '../../../../support/makeMail.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { listTree } = await import('../../../../../src/features/lists/tree/listTree.ts');
const { patchsetSteps } = await import('../../../../../src/features/lists/tree/patchsetSteps.ts');

const never = new AbortController().signal;
const list = { owner: '~alice', name: 'devel' };

/** A list with four patchsets, two of them done, with the active page and the revealed rows. */
function situation({
	patchsets = 'newest',
	pageSize = 50,
}: { readonly patchsets?: ListChoice['patchsets']; readonly pageSize?: number } = {}) {
	const lists = fakeLists();
	lists.world.pageSize = pageSize;
	lists.world.lists.push(makeList(), makeList({ name: 'other' }));
	lists.world.patchsets.set('~alice/devel', [
		makePatchset({ id: 4, subject: 'Four', status: 'applied' }),
		makePatchset({ id: 3, subject: 'Three' }),
		makePatchset({ id: 2, subject: 'Two', status: 'rejected' }),
		makePatchset({ id: 1, subject: 'One' }),
	]);
	const connection = listConnection(lists.api);
	void connection.listChoices.choose(list, { filter: '', patchsets });
	const parts = listsParts(fakeConnections(connection));
	const tree = listTree(parts);
	const subject = (id: number): PatchsetSubject => ({
		kind: 'patchset',
		connectionKey: connection.key,
		ref: { list, id },
	});
	const revealed: (readonly [unknown, { readonly focus: unknown }])[] = [];
	let front: unknown;
	const view = {
		visible: true,
		selection: [],
		reveal: async (row: TreeNode, { focus }: { readonly focus?: unknown } = {}) =>
			void revealed.push([titleIn(row.item.label), { focus }]),
	};
	const commands = patchsetSteps(
		{ ...parts, pages: { ...noPages, inFront: () => front, dispose: () => undefined }, view: fake(view) },
		tree,
	);
	return {
		subject,
		roots: () => tree.roots(never),
		revealed,
		view,
		setFront: (next: unknown) => (front = next),
		step: (way: 'next' | 'previous', from?: unknown) => commands[`forge.patchsets.${way}`]?.(from, never, []),
	};
}

suite('patchset navigation', () => {
	setup(resetStub);

	test('selects the next or previous row from a row, and opens nothing', async () => {
		const { step, subject, revealed } = situation();
		await step('next', subject(3));
		await step('previous', subject(3));
		assert.deepEqual(
			[revealed, stubbed.executed],
			[
				[
					['Two', { focus: true }],
					['Four', { focus: true }],
				],
				[],
			],
		);
	});

	test('opens the next patchset from a page, and reveals its row in a visible view', async () => {
		const { step, subject, revealed, view, setFront } = situation();
		setFront(subject(3));
		await step('next');
		view.visible = false;
		await step('previous');
		assert.deepEqual(stubbed.executed, ['forge.patchsets.open', 'forge.patchsets.open']);
		assert.deepEqual([stubbed.passed, revealed], [[subject(2), subject(4)], [['Two', { focus: false }]]]);
	});

	test('also opens the next page from the row of the active page', async () => {
		const { step, subject, revealed, setFront } = situation();
		setFront(subject(3));
		await step('next', subject(3));
		assert.deepEqual(stubbed.executed, ['forge.patchsets.open']);
		assert.deepEqual(revealed, [['Two', { focus: true }]]);
	});

	test('follows the order of the board across its groups', async () => {
		const { step, subject, revealed } = situation({ patchsets: 'board' });
		for (const id of [3, 1, 4]) {
			await step('next', subject(id));
		}
		// Open patchsets come before done ones.
		assert.deepEqual(
			revealed.map(([row]) => row),
			['One', 'Four', 'Two'],
		);
	});

	test('reports the ends, a hidden patchset, and a missing selection', async () => {
		const { step, subject } = situation();
		await step('next', subject(1));
		await step('previous', subject(4));
		await step('next', subject(99));
		await step('next');
		assert.deepEqual(stubbed.shown, [
			'This is the last patchset of devel.',
			'This is the first patchset of devel.',
			'This patchset is not among those that the view shows.',
			'Open a patchset or select one first.',
		]);
	});

	test('names the end of the loaded list, of its board, or of the board of all lists', async () => {
		const loaded = situation({ pageSize: 2 });
		await loaded.step('next', loaded.subject(3));
		const board = situation({ patchsets: 'board' });
		await board.step('previous', board.subject(3));
		await board.step('next', board.subject(2));
		const [all] = await board.roots();
		const [, done] = (await all?.children?.(never)) ?? [];
		const rows = (await done?.children?.(never)) ?? [];
		await board.step('next', rows.at(-1));
		assert.deepEqual(stubbed.shown, [
			'This is the last patchset of devel that is loaded. Choose Show More to load older ones.',
			'This is the first patchset on the board of devel.',
			'This is the last patchset on the board of devel.',
			'This is the last patchset on the board of all lists.',
		]);
	});
});
