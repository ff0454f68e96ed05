import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';

suite('rows of a long list', () => {
	test('the first rows come at once, the others in later turns, in order', async () => {
		const { rowTurns } = await import('../../../../src/app/shell/shell.ts');
		const turn = rowTurns();
		let turns = 0;
		const count = (): void => {
			turns += 1;
			if (turns < 20) {
				setImmediate(count);
			}
		};
		const at: number[] = [];
		const rows = Array.from({ length: 500 }, async () => {
			await turn();
			at.push(turns);
		});
		setImmediate(count);
		await Promise.all(rows);
		const perTurn = [...Map.groupBy(at, (each) => each).values()].map(({ length }) => length);
		assert.ok(Math.max(...perTurn) <= 50, `rows per turn: ${perTurn.join(' ')}`);
		assert.deepEqual(
			at,
			at.toSorted((a, b) => a - b),
		);
		assert.equal(at[0], 0);
		assert.equal(turn(), undefined);
	});
});
