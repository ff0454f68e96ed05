import '../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { CommandTable } from '../../../src/editor/feature.ts';
import type { Runner, RunnerParts } from '../../../src/editor/runner.ts';
import { quietProblems } from '../../support/fakeTicketsParts.ts';
import { resetStub, stubbed } from '../../support/vscodeValues.ts';

const { runner } = await import('../../../src/editor/runner.ts');

interface Run {
	readonly subject: unknown;
	readonly rows: readonly unknown[];
}

function commands(rowsInFocus: RunnerParts['rowsInFocus']): { readonly runs: Run[]; readonly runner: Runner } {
	const runs: Run[] = [];
	const table: CommandTable = {
		'forge.tickets.resolve': async (subject, _, rows) => void runs.push({ subject, rows }),
	};
	return { runs, runner: runner([table], { problems: quietProblems, rowsInFocus }) };
}

suite('what a command is run on', () => {
	setup(resetStub);

	test('is the row whose menu it was, or all that are selected with it', async () => {
		const { runs, runner: desk } = commands(async () => ['focused']);
		await desk.run('forge.tickets.resolve', 'a');
		await desk.run('forge.tickets.resolve', 'a', ['a', 'b']);
		await desk.run('forge.tickets.resolve', 'c', ['a', 'b']);
		await desk.run('forge.tickets.resolve', undefined);
		assert.deepEqual(runs, [
			{ subject: 'a', rows: ['a'] },
			{ subject: 'a', rows: ['a', 'b'] },
			{ subject: 'c', rows: ['c'] },
			{ subject: undefined, rows: [] },
		]);
	});

	test('are the rows that a key in the view means', async () => {
		const { runs, runner: desk } = commands(async (view) => [`a of ${view}`, 'b']);
		await desk.run('forge.tickets.resolve', { rowsOf: 'forge.lists' });
		assert.deepEqual(runs, [{ subject: 'a of forge.lists', rows: ['a of forge.lists', 'b'] }]);
	});

	test('is nothing while the rows change too fast to tell, and that is said', async () => {
		const { runs, runner: desk } = commands(async () => undefined);
		await desk.run('forge.tickets.resolve', { rowsOf: 'forge.lists' });
		assert.deepEqual(runs, []);
		assert.deepEqual(stubbed.shown, ['The rows changed while the key was pressed. Press it again.']);
	});
});
