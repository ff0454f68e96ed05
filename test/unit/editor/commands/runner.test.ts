import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { CommandHandler, CommandTable } from '../../../../src/editor/commands/feature.ts';
import { quietProblems } from '../../../support/fakeTicketsParts.ts';
import { bringToFront, resetFront } from '../../../support/stubbedFront.ts';
import { l10n, resetStub, stubbed, stubbedTabs, TabInputCustom, Uri } from '../../../support/vscodeValues.ts';

const { runner, runningCommand } = await import('../../../../src/editor/commands/runner.ts');

interface Run {
	readonly subject: unknown;
	readonly rows: readonly unknown[];
}

function commands(
	rowsInFocus: Parameters<typeof runner>[2],
	isTrusted = true,
	viewInFocus: Parameters<typeof runner>[3] = () => undefined,
): { readonly runs: Run[]; readonly runner: ReturnType<typeof runner> } {
	const runs: Run[] = [];
	const run: CommandHandler = async (subject, _, rows) => void runs.push({ subject, rows });
	const table: CommandTable = {
		'forge.tickets.resolve': run,
		'forge.tickets.startWork': run,
		'forge.tickets.setStatus': run,
		'forge.patchsets.setStatus': run,
		'forge.repositories.copyPermalink': run,
	};
	return {
		runs,
		runner: runner([table], quietProblems, rowsInFocus, viewInFocus, () => isTrusted),
	};
}

suite('subjects of a command', () => {
	setup(resetStub);

	test('are the row of a menu, or all selected rows that include it', async () => {
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

	test('are the rows of a key in the view', async () => {
		const { runs, runner: desk } = commands(async (view) => [`a of ${view}`, 'b']);
		await desk.run('forge.tickets.resolve', { rowsOf: 'forge.lists' });
		assert.deepEqual(runs, [{ subject: 'a of forge.lists', rows: ['a of forge.lists', 'b'] }]);
	});

	test('come from the focused view for a merged command in the palette, and from the page for its key', async () => {
		const view: ReturnType<Parameters<typeof runner>[3]> = { view: 'forge.lists', rows: ['a', 'b'] };
		const { runs, runner: desk } = commands(
			async () => ['focused'],
			true,
			() => view,
		);
		await desk.run('forge.setStatus', undefined);
		await desk.run('forge.setStatus', 'row of a menu');
		stubbed.answers.push('Set Ticket Status…');
		await desk.run('forge.setStatus', { rowsOf: 'front' });
		// Not merged: the command finds its own subject.
		await desk.run('forge.tickets.resolve', undefined);
		assert.deepEqual(runs, [
			{ subject: 'a', rows: ['a', 'b'] },
			{ subject: undefined, rows: [] },
			{ subject: undefined, rows: [] },
		]);
	});

	test('come from the page for its title menu, which hands over the URI of the panel', async () => {
		const { runs, runner: desk } = commands(async () => ['focused']);
		const panel = Uri.from({ scheme: 'webview-panel', authority: '', path: '/a' });
		await desk.run('forge.tickets.resolve', panel);
		assert.deepEqual(runs, [{ subject: undefined, rows: [] }]);
	});

	test('are empty while the rows change too fast, and a message says so', async () => {
		const { runs, runner: desk } = commands(async () => undefined);
		await desk.run('forge.tickets.resolve', { rowsOf: 'forge.lists' });
		assert.deepEqual(runs, []);
		assert.deepEqual(stubbed.shown, ['The list just changed. Try again.']);
	});

	test('a command that needs git does nothing in an untrusted window, and offers to trust it', async () => {
		const { runs, runner: desk } = commands(async () => ['row'], false);
		stubbed.answers.push('Manage Trust…', undefined);
		await desk.run('forge.tickets.startWork', { rowsOf: 'forge.tickets' });
		await desk.run('forge.repositories.copyPermalink', { scheme: 'file', path: '/code/a.c' });
		await desk.run('forge.repositories.copyPermalink', { scheme: 'forge', path: '/~alice/quill@main/a.c' });
		await desk.run('forge.tickets.resolve', 'a');
		assert.deepEqual(
			runs.map(({ subject }) => subject),
			[{ scheme: 'forge', path: '/~alice/quill@main/a.c' }, 'a'],
		);
		const text = 'Git is disabled in Restricted Mode. Trust this window, then try again.';
		assert.deepEqual(stubbed.shown, [text, text]);
		assert.deepEqual(stubbed.executed, ['workbench.trust.manage']);
	});

	test('a command’s questions have its title, also with several commands running', async () => {
		const seen: (string | undefined)[] = [];
		const look: CommandHandler = async () => {
			await new Promise((resolve) => setImmediate(resolve));
			seen.push(runningCommand());
		};
		const desk = runner(
			[{ 'forge.review.discard': look, 'forge.lists.newMail': look }],
			quietProblems,
			async () => [],
			() => undefined,
			() => true,
		);
		const { t } = l10n;
		l10n.t = (text) => (text === 'Discard Review…' ? 'Review verwerfen…' : text);
		try {
			await Promise.all([desk.run('forge.review.discard', undefined), desk.run('forge.lists.newMail', undefined)]);
		} finally {
			l10n.t = t;
		}
		assert.deepEqual([...seen, runningCommand()], ['Review verwerfen', 'New Message to List', undefined]);
	});

	test('a command that needs git and local files uses the active file by default', async () => {
		const { runs, runner: desk } = commands(async () => ['row'], false);
		const uri = { scheme: 'file', path: '/code/a.c' };
		bringToFront(uri);
		await desk.run('forge.repositories.copyPermalink', undefined);
		assert.deepEqual(runs, []);
		assert.equal(stubbed.shown.length, 1);
	});

	test('a command that needs git and local files uses the active picture, too', async () => {
		const { runs, runner: desk } = commands(async () => ['row'], false);
		resetFront();
		const input = new TabInputCustom({ scheme: 'file', path: '/code/a.png' });
		stubbedTabs.splice(0, Number.POSITIVE_INFINITY, { label: '', isActive: true, input });
		await desk.run('forge.repositories.copyPermalink', undefined);
		assert.deepEqual(runs, []);
		assert.equal(stubbed.shown.length, 1);
	});
});
