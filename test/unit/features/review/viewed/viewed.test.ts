import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { fake } from '../../../../support/fake.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import type { TreeNode } from '../../../../../src/editor/trees/treeNode.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { bringToFront } from '../../../../support/stubbedFront.ts';
import { versionWorld, type VersionWorld } from '../../../../support/versionWorld.ts';
import { eventually } from '../../../../support/eventually.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { viewedCommands } = await import('../../../../../src/features/review/viewed/viewedCommands.ts');
const { listTree } = await import('../../../../../src/features/lists/tree/listTree.ts');
const { patchUri } = await import('../../../../../src/editor/patchDocuments/patchUri.ts');

const { TreeItemCheckboxState } = await import('vscode');

const never = new AbortController().signal;

interface Desk extends VersionWorld {
	readonly toggle: (subject: unknown, ...others: readonly unknown[]) => Promise<void>;
	readonly check: (row: TreeNode, is: boolean) => void;
	/** Labels with viewed counts and checkboxes of the rows: the patchset, its patches, and their files. */
	readonly rows: (id: number) => Promise<readonly string[]>;
	readonly rowsOf: (id: number) => Promise<readonly TreeNode[]>;
	readonly file: (patchsetId: number, mailId: number, fileIndex: number) => unknown;
	readonly patchset: (id: number) => unknown;
}

function desk(world: VersionWorld = versionWorld()): Desk {
	const { connection, ref } = world;
	const { list } = ref;
	void connection.listChoices.choose(list, { filter: '', patchsets: 'newest' });
	const parts = listsParts(fakeConnections(connection));
	const checked = new Emitter<{ readonly items: readonly [TreeNode, 0 | 1][] }>();
	const { commands } = viewedCommands({ ...parts, view: fake({ onDidChangeCheckboxState: checked.event }) });
	const tree = listTree(parts);
	const rowsOf = async (id: number): Promise<readonly TreeNode[]> => {
		await connection.reviews.read({ list, id }, never);
		const place = { kind: 'list', connectionKey: connection.key, ref: list } as const;
		const newest = await tree.patchsetRows(place, never);
		const below = async (row: TreeNode): Promise<readonly TreeNode[]> => (await row.children?.(never)) ?? [];
		// Rows of older versions are below the newest one.
		const patchsets = [...newest, ...(await Promise.all(newest.map(below))).flat()];
		const row = patchsets.find(({ subject }) => JSON.stringify(subject).includes(`"id":${id}}`)) ?? assert.fail();
		const patches = (await below(row)).filter(({ subject }) => !JSON.stringify(subject).includes('"kind":"patchset"'));
		const files = await Promise.all(
			patches.map(async (patch) => [patch, ...((await patch.children?.(never)) ?? [])] as const),
		);
		return [row, ...files.flat()];
	};
	return {
		...world,
		rowsOf,
		toggle: async (subject, ...others) =>
			commands['forge.patchsets.toggleViewed']?.(subject, never, others.length > 0 ? [subject, ...others] : []),
		check: (row, is) =>
			checked.fire({ items: [[row, is ? TreeItemCheckboxState.Checked : TreeItemCheckboxState.Unchecked]] }),
		rows: async (id) =>
			(await rowsOf(id)).map(({ item: { label, description, checkboxState } }) => {
				const box = typeof checkboxState === 'object' ? checkboxState.state : checkboxState;
				const isChecked = box === TreeItemCheckboxState.Checked;
				const name = typeof label === 'string' ? label : '';
				const count = / · (\d+ of \d+ viewed)/.exec(String(description))?.[1];
				const shown = count === undefined ? name : `${name}: ${count}`;
				return box === undefined ? shown : `${isChecked ? '[x]' : '[ ]'} ${shown}`;
			}),
		file: (patchsetId, mailId, fileIndex) => ({
			kind: 'patchFile',
			connectionKey: connection.key,
			list,
			patchsetId,
			mailId,
			fileIndex,
		}),
		patchset: (id) => ({ kind: 'patchset', connectionKey: connection.key, ref: { list, id } }),
	};
}

suite('viewed files of patches', () => {
	setup(() => resetStub());

	test('are marked from their rows, counted in parent rows, and unmarked again', async () => {
		const { toggle, rows, file } = desk();
		await toggle(file(7, 72, 1));
		assert.equal(stubbed.shown.at(-1), 'Marked moved.c as viewed · 1 of 4 viewed');
		assert.deepEqual(await rows(7), [
			'3d Bob · fold: step 1: 1 of 4 viewed',
			'[ ] 1/2 fold: step 1',
			'[ ] fold.c',
			'[ ] 2/2 fold: step 2: 1 of 3 viewed',
			'[ ] fold.c',
			'[x] moved.c',
			'[ ] gone.c',
		]);
		await toggle(file(7, 72, 1));
		assert.equal(stubbed.shown.at(-1), 'Marked moved.c as not viewed');
		assert.equal((await rows(7))[3], '[ ] 2/2 fold: step 2');
	});

	test('carry over to the next version if its patch has the same change', async () => {
		const { toggle, rows, patchset, connection, ref } = desk();
		await toggle(patchset(7));
		assert.equal(stubbed.shown.at(-1), 'Marked all files as viewed · 4 of 4 viewed');
		assert.deepEqual(await rows(8), [
			'v2 2d Bob · fold: step 1: 1 of 3 viewed',
			'[x] 1/2 fold: step 1: 1 of 1 viewed',
			'[x] fold.c',
			'[ ] 2/2 fold: step 2',
			'[ ] fold.c',
			'[ ] gone.c',
		]);
		assert.deepEqual(
			[7, 8].map((id) => connection.viewed.isBegun({ ...ref, id })),
			[true, false],
		);
	});

	test('are marked from the active document, and for several rows together', async () => {
		const { toggle, rows, file, connection, ref } = desk();
		const view = { kind: 'after', fileIndex: 0 } as const;
		bringToFront(
			patchUri({ connectionKey: connection.key, list: ref.list, patchsetId: 7, mailId: 71, view }, 'fold.c'),
		);
		await toggle(undefined);
		assert.equal(stubbed.shown.at(-1), 'Marked fold.c as viewed · 1 of 4 viewed');
		await toggle(file(7, 71, 0), file(7, 72, 0), file(7, 72, 2));
		assert.equal((await rows(7))[0], '3d Bob · fold: step 1: 3 of 4 viewed');
	});

	test('follow their checkboxes, and a patch’s checkbox covers all its files', async () => {
		const { check, rows, rowsOf } = desk();
		const [, , , patch = assert.fail()] = await rowsOf(7);
		check(patch, true);
		await eventually(
			async () => (await rows(7)).slice(3),
			['[x] 2/2 fold: step 2: 3 of 3 viewed', '[x] fold.c', '[x] moved.c', '[x] gone.c'],
		);
		const [, , , , , moved = assert.fail()] = await rowsOf(7);
		check(moved, false);
		await eventually(async () => (await rows(7))[3], '[ ] 2/2 fold: step 2: 2 of 3 viewed');
	});
});
