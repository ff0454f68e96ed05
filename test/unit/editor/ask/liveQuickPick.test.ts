import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { TypedRow } from '../../../../src/editor/ask/liveQuickPick.ts';

const vscode = await import('vscode');
const { showRows } = await import('../../../../src/editor/ask/liveQuickPick.ts');

suite('rows of a live box', () => {
	const heading: TypedRow = { label: 'Patchsets', kind: vscode.QuickPickItemKind.Separator, forText: '' };
	const rowsOf = (...labels: readonly string[]): readonly TypedRow[] => [
		heading,
		...labels.map((label): TypedRow => ({ label, forText: '' })),
	];
	const isSame = (one: TypedRow, other: TypedRow): boolean => one.label === other.label;

	test('leave the first row active while rows arrive above it, unless the user has moved', () => {
		const box = vscode.window.createQuickPick<TypedRow>();
		showRows(box, rowsOf('web', 'copy'), isSame);
		const [, web] = box.items;
		assert.ok(web);
		box.activeItems = [web];
		// The editor tells of the new active row later than the next rows come.
		showRows(box, rowsOf('patch', 'web', 'copy'), isSame);
		showRows(box, rowsOf('patch', 'older patch', 'web', 'copy'), isSame);
		assert.ok(!box.items.some((row) => box.activeItems.includes(row)));
		const moved = box.items.find(({ label }) => label === 'web');
		assert.ok(moved);
		box.activeItems = [moved];
		showRows(box, rowsOf('newest patch', 'patch', 'older patch', 'web', 'copy'), isSame);
		assert.deepEqual(
			box.activeItems.map((row) => [row.label, box.items.includes(row)]),
			[['web', true]],
		);
		box.dispose();
	});
});
