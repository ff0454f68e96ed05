import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAbort } from '@forge-desk/base/abort.ts';
import { eachInAppliedWorld, numbered, type AppliedWindow, type AppliedWorld } from '../support/appliedWorld.ts';
import { eventually } from '../../../../support/eventually.ts';
import { testInRest } from '../../../../support/parts.ts';
import { stubbed, workspace } from '../../../../support/vscodeValues.ts';

/** Replaces the diff of a message. */
function withDiff(diff: string): (envelope: string) => string {
	return (envelope) => `${envelope.slice(0, envelope.indexOf('\ndiff --git') + 1)}${diff}-- \n2.39.5\n\n`;
}

const doubt = 'Git may apply something other than what is shown.';
const next = '2222222222222222222222222222222222222222';
/** Its last context line claims the end of the file, so git joins lines 2 and 3. */
const endInside = withDiff(
	'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n+new\n 1\n 2\n\\ No newline at end of file\n',
);

/** Paths without prefixes, as in the output of `git format-patch --no-prefix`. */
const withoutPrefixes = (envelope: string): string =>
	envelope.replaceAll(/(?<=^diff --git.*|^---|^\+\+\+) [ab]\//gm, ' ');

suite('a series that git commits differently than shown', function () {
	this.timeout(60_000);
	let world: AppliedWorld;
	let window: AppliedWindow;

	eachInAppliedWorld((made) => ({ world, window } = made));

	const apply = (...answers: readonly string[]): Promise<void> => {
		stubbed.answers.push(...answers);
		return window.run('forge.patchsets.apply', world.subject);
	};
	const head = (): string => world.inClone('rev-parse', 'HEAD');
	const resolve = (text: string): void => writeFileSync(join(world.root, 'a'), text);
	const solved = numbered((line) => (line === 3 ? 'three' : String(line)));

	/** Shows a file `demo` but names the blob of `b`, so a three-way merge finds a renamed file. */
	const renames = (envelope: string): string => {
		const blob = world.inClone('rev-parse', `${world.base}:b`);
		return withDiff(
			`diff --git a/demo b/demo\nindex ${blob}..${next} 100644\n--- a/demo\n+++ b/demo\n@@ -1 +1 @@\n-one\n+two\n`,
		)(envelope);
	};

	/** Stops at a conflict in patch 1. */
	const stop = async (...answers: readonly string[]): Promise<void> => {
		world.commit(
			'a',
			numbered((line) => (line === 3 ? 'III' : String(line))),
			'Otherwise',
		);
		await apply('Current Branch main', ...answers);
		assert.match(stubbed.shown.at(-1) ?? '', /^Patch 1 of 3 has conflicts in a\./);
		stubbed.shown.length = 0;
	};

	for (const [name, hostile, path, testOf] of [
		['a file that no diff shows', renames, 'b', test],
		['joined lines', endInside, 'a', testInRest],
	] as const) {
		testOf(`with ${name}, triggers a question before Apply`, async () => {
			world.change([72], hostile);
			await assert.rejects(apply('Current Branch main'), isAbort);
			assert.deepEqual([stubbed.shown, head()], [[doubt], world.base]);
			assert.match(stubbed.details.at(-1) ?? '', new RegExp(`^Git writes other contents.*\\n${path}$`, 'm'));
		});

		testOf(`with ${name} after a conflict, triggers a question before Continue in each window`, async () => {
			world.change([72], hostile);
			await stop();
			const before = head();
			resolve(solved);
			const other = world.window();
			for (const each of [window, other]) {
				stubbed.answers.push('Continue');
				await assert.rejects(each.run('forge.apply.continue'), isAbort);
				assert.deepEqual([stubbed.shown.at(-1), head()], [doubt, before]);
				assert.match(stubbed.details.at(-1) ?? '', new RegExp(`\\n${path}$`));
			}
			other.dispose();
		});

		testOf(`with ${name} after a conflict, triggers a question before Skip`, async () => {
			world.change([72], hostile);
			await stop();
			const before = head();
			stubbed.answers.push('Skip Patch');
			await assert.rejects(window.run('forge.apply.skip'), isAbort);
			assert.deepEqual([stubbed.shown.at(-1), head()], [doubt, before]);
		});

		testOf(`with ${name}, is reported after a terminal continues it, and Undo reverts it`, async () => {
			world.change([72], hostile);
			await stop();
			const before = head();
			resolve(solved);
			world.inClone('add', 'a');
			world.inClone('-c', 'core.editor=true', 'am', '--continue');
			world.fake.goTo('main');
			const told = new RegExp(
				`^Applied 3 patches of "Change three" to main\\. The commits differ from the shown patches\\. Compare them before you push: .*patch 2: ${path}`,
			);
			await eventually(async () => stubbed.shown.some((text) => told.test(text)), true);
			assert.deepEqual(stubbed.buttons.at(-1), ['Show Differences', 'Undo…', 'Push…']);
			stubbed.answers.push('Undo');
			await window.run('forge.patchsets.undoApplying', { folder: world.root });
			assert.deepEqual([stubbed.shown.at(-1), head()], ['main is as it was before.', before]);
		});
	}

	testInRest('without prefixes continues after a conflict, and applies as shown', async () => {
		world.change([71, 72, 73], withoutPrefixes);
		// Other programs look for these paths elsewhere, so Apply asks.
		await stop('Apply');
		resolve(solved);
		stubbed.answers.push('Continue');
		await window.run('forge.apply.continue');
		assert.match(stubbed.shown.at(-1) ?? '', /^Applied 3 patches of "Change three" to main\./);
		assert.equal(
			world.inClone('show', 'HEAD:a'),
			numbered((line) => ({ 3: 'three', 15: 'fifteen' })[line] ?? String(line)).trimEnd(),
		);
	});

	test('with joined lines after a three-way merge, triggers a question', async () => {
		// Patch 1 needs a merge because a line next to its change differs.
		world.commit(
			'a',
			numbered((line) => (line === 6 ? 'VI' : String(line))),
			'Nearby',
		);
		world.change([72], endInside);
		const before = head();
		await assert.rejects(apply('Current Branch main'), isAbort);
		assert.deepEqual([stubbed.shown, head()], [[doubt], before]);
		assert.match(stubbed.details.at(-1) ?? '', /\na$/);
	});

	test('with an honest three-way merge, applies without a question', async () => {
		world.commit(
			'a',
			numbered((line) => (line === 6 ? 'VI' : String(line))),
			'Nearby',
		);
		await apply('Current Branch main');
		assert.deepEqual(stubbed.shown, ['Applied 3 patches of "Change three" to main.']);
	});

	testInRest('with a binary file without data, triggers a question with its name and shows the file', async () => {
		const blob = world.feed(world.root, 'two\0', 'hash-object', '-w', '--stdin').trim();
		const before = world.inClone('rev-parse', `${world.base}:b`);
		const diff = `diff --git a/b b/b\nindex ${before}..${blob} 100644\nBinary files a/b and b/b differ\n`;
		world.change([72], withDiff(diff));
		await assert.rejects(apply('Current Branch main'), isAbort);
		assert.deepEqual([stubbed.shown, stubbed.buttons.at(-1), head()], [[doubt], ['Apply', 'Show File'], world.base]);
		assert.match(stubbed.details.at(-1) ?? '', /^The patches do not contain these binary files\..*\nb$/);
		await assert.rejects(apply('Current Branch main', 'Show File'), isAbort);
		assert.equal(stubbed.executed.at(-1), 'vscode.open');
		const content = await workspace.fileSystems.get('forge-applied')?.readFile(stubbed.passed.at(-1));
		assert.equal(Buffer.from(content ?? []).toString(), 'two\0');
		stubbed.answers.push('None on this forge', 'main');
		await window.run('forge.patchsets.checkApplies', world.subject);
		assert.match(stubbed.shown.at(-1) ?? '', /Git takes them from the clone: b\.$/);
		await apply('Current Branch main', 'Apply');
		assert.equal(
			stubbed.shown.at(-1),
			'Applied 3 patches of "Change three" to main. The patches did not contain these binary files. Git took them from the clone: patch 2: b.',
		);
	});

	test('is compared again before a push, and Show Differences shows both sides', async () => {
		await apply('Current Branch main');
		writeFileSync(join(world.root, 'b'), 'secret\n');
		world.inClone('commit', '-qa', '--amend', '-m', 'Another message');
		await assert.rejects(
			(async () => {
				stubbed.answers.push('main');
				await window.run('forge.patchsets.push', { folder: world.root });
			})(),
			isAbort,
		);
		assert.match(
			stubbed.details.at(-1) ?? '',
			/\nCommits that differ from the shown patches:\npatch 3: commit message\npatch 3: b\n/,
		);
		stubbed.answers.push('b');
		await window.run('forge.patchsets.showDifferences', { folder: world.root });
		assert.deepEqual(
			stubbed.offered.map(({ label, detail }) => [label, detail]),
			[
				['commit message', 'Shown: Change fifteen Committed: Another message'],
				['b', 'No diff of the patch shows this file.'],
			],
		);
		assert.equal(stubbed.executed.at(-1), 'vscode.diff');
		await window.run('forge.patchsets.undoApplying', { folder: world.root }).catch(() => undefined);
		stubbed.answers.push('Undo');
		await window.run('forge.patchsets.undoApplying', { folder: world.root });
		assert.match(stubbed.shown.at(-1) ?? '', /^main at \w+ is checked out now, not main at /);
	});
});
