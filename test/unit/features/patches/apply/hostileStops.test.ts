import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAbort } from '@forge-desk/base/abort.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import { eachInAppliedWorld, numbered, type AppliedWindow, type AppliedWorld } from '../support/appliedWorld.ts';
import { eventually } from '../../../../support/eventually.ts';
import { testInRest } from '../../../../support/parts.ts';
import { stubbed } from '../../../../support/vscodeValues.ts';

const input = readFileSync(join(import.meta.dirname, '../../../../corpus/apply/in-the-conflicting-patch.eml'), 'utf8');

const doubt = 'Git may apply something other than what is shown.';
const next = '2'.repeat(40);

suite('the patch at which git stops', function () {
	this.timeout(60_000);
	let world: AppliedWorld;
	let window: AppliedWindow;

	eachInAppliedWorld((made) => ({ world, window } = made));

	const head = (): string => world.inClone('rev-parse', 'HEAD');
	const blobOf = (path: string): string => world.inClone('rev-parse', `HEAD:${path}`);
	const resolve = (at: number): void =>
		writeFileSync(
			join(world.root, 'a'),
			numbered((line) => ({ 3: 'three', 15: at === 3 ? 'XV' : '15' })[line] ?? String(line)),
		);
	const otherwise = (line: number): string => numbered((each) => (each === line ? `no ${line}` : String(each)));

	/** Adds diffs in front of the patch's own. */
	const adding =
		(diff: string) =>
		(envelope: string): string =>
			envelope.replace(/^diff --git/m, () => `${diff}diff --git`);

	/** Stops at a conflict in `a` and resolves it. */
	async function stop(at = 1, ...answers: readonly string[]): Promise<void> {
		stubbed.answers.push('Current Branch main', ...answers);
		await window.run('forge.patchsets.apply', world.subject);
		assert.match(stubbed.shown.at(-1) ?? '', new RegExp(`^Patch ${at} of 3 has conflicts in a\\.`));
		stubbed.shown.length = 0;
		resolve(at);
	}

	async function continueAsked(...answers: readonly string[]): Promise<void> {
		stubbed.answers.push('Continue', ...answers);
		await window.run('forge.apply.continue');
	}

	const header = (path: string): string => `diff --git a/${path} b/${path}\n`;
	const victim = 'int f\n// pw\nif (!ok) return;\nend\n';

	testInRest('triggers a question before Continue if it shows a file of another name', async () => {
		world.commit('v', victim, 'Victim');
		const hunk = '@@ -1,4 +1,4 @@\n int f\n // pw\n-if (!ok) return;\n+hole\n end\n';
		world.change(
			[71],
			adding(`${header('demo')}index ${blobOf('v')}..${next} 100644\n--- a/demo\n+++ b/demo\n${hunk}`),
		);
		world.commit('a', otherwise(3), 'Otherwise');
		await stop();
		assert.match(world.inClone('status', '--porcelain'), /^M {2}v$/m);
		const before = head();
		await assert.rejects(continueAsked(), isAbort);
		assert.deepEqual([stubbed.shown.at(-1), head()], [doubt, before]);
		assert.match(stubbed.details.at(-1) ?? '', /^v$/m);
	});

	suite('with a hunk whose context claims the end of the file', () => {
		setup(() => {
			world.commit('v', victim, 'Victim');
			const diff = input.slice(input.indexOf('diff --git'), input.indexOf('-- \n')).replace('VBLOB', blobOf('v'));
			world.change([71], (envelope) => {
				const own = envelope.indexOf('diff --git');
				return `${envelope.slice(0, own)}${diff.replace('ABLOB', world.inClone('rev-parse', `${world.base}:a`))}-- \n2.39\n\n`;
			});
			world.commit('a', otherwise(3), 'Otherwise');
		});

		test('triggers a question before Continue, also in another window and with a staged file', async () => {
			await stop();
			const before = head();
			const other = world.window();
			for (const each of [window, other]) {
				stubbed.answers.push('Continue');
				await assert.rejects(each.run('forge.apply.continue'), isAbort);
				assert.deepEqual([stubbed.shown.at(-1), head()], [doubt, before]);
				assert.match(stubbed.details.at(-1) ?? '', /^Git writes other contents.*\nv$/);
			}
			other.dispose();
			await continueAsked('Continue');
			assert.match(
				stubbed.shown.at(-1) ?? '',
				/^Applied 3 patches .* The commits differ from the shown patches\. Compare them before you push: patch 1: a, patch 1: v\.$/,
			);
		});

		test('is reported after a terminal continues', async () => {
			await stop();
			world.inClone('add', 'a');
			world.inClone('-c', 'core.editor=true', 'am', '--continue');
			world.fake.goTo('main');
			const told = /^Applied 3 .* The commits differ from the shown patches\..* patch 1: v\.$/;
			await eventually(async () => stubbed.shown.some((text) => told.test(text)), true);
		});
	});

	test('triggers a question if the user changed other files, their modes, or dropped some', async () => {
		const added = (path: string): string =>
			`${header(path)}new file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+new\n`;
		world.change([71], adding(added('n') + added('o') + added('p')));
		world.script(world.root, 'echo d >d; echo e >e; echo f >f; git add d e f; git commit -qm Files');
		world.commit('a', otherwise(3), 'Otherwise');
		await stop();
		world.script(
			world.root,
			`echo other >b; chmod +x d; git add b d; git rm -q e; git rm -q -f n; git mv f g; echo other >o; git add o
			git update-index --cacheinfo 160000,$(git rev-parse HEAD),p`,
		);
		const before = head();
		await assert.rejects(continueAsked(), isAbort);
		assert.deepEqual([stubbed.shown.at(-1), head()], [doubt, before]);
		const named = stubbed.details.at(-1)?.split('\n') ?? [];
		assert.deepEqual(
			['b', 'd', 'e', 'n', 'f', 'g', 'o', 'p'].filter((path) => !named.includes(path)),
			[],
		);
		assert.equal(named.includes('a'), false);
		world.script(
			world.root,
			'git reset -q -- b d e f g; git checkout -q -- b d e f; rm g; echo new >n; echo new >o; echo new >p; git add n o p',
		);
		await continueAsked();
		assert.match(stubbed.shown.at(-1) ?? '', /^Applied 3 patches of "Change three" to main\. Where you resolved/);
	});

	test('triggers a question if its message or date is another, and one with a binary file of the clone', async () => {
		const blob = world.feed(world.root, 'two\0', 'hash-object', '-w', '--stdin').trim();
		world.commit('v', victim, 'Victim');
		const binary = `${header('v')}index ${blobOf('v')}..${blob} 100644\nBinary files a/v and b/v differ\n`;
		world.change([71], (envelope) =>
			adding(binary)(envelope.replace('\n\n', '\n\nDate: Mon, 1 Jan 2001 00:00:00 +0000\n\n')),
		);
		world.commit('a', otherwise(3), 'Otherwise');
		await stop(1, 'Apply');
		const before = head();
		await assert.rejects(continueAsked(), isAbort);
		assert.deepEqual([stubbed.shown.at(-1), head()], [doubt, before]);
		assert.match(stubbed.details.at(-1) ?? '', /binary files\..*\nv\n\n.*date/s);
		await continueAsked('Continue');
		assert.match(stubbed.shown.at(-1) ?? '', /Compare them before you push: patch 1: date, patch 1: v, patch 1: a\.$/);
	});

	test('is judged when it is the last one, and so is the last one behind a skipped one', async () => {
		world.commit('v', victim, 'Victim');
		const joined = `${header('v')}index ${blobOf('v')}..${next} 100644\n--- a/v\n+++ b/v\n@@ -1,2 +1,3 @@\n+// hi\n int f\n // pw\n\\ No newline at end of file\n`;
		world.change([73], adding(joined));
		world.commit('a', otherwise(15), 'Otherwise');
		await stop(3);
		const before = head();
		await assert.rejects(continueAsked(), isAbort);
		assert.deepEqual([stubbed.shown.at(-1), head()], [doubt, before]);
		stubbed.answers.push('Abort Applying');
		await window.run('forge.apply.abort');
		world.commit('b', 'else\n', 'Else');
		world.commit('a', numbered(), 'As before');
		stubbed.answers.push('Current Branch main', 'Apply');
		await window.run('forge.patchsets.apply', world.subject);
		assert.match(stubbed.shown.at(-1) ?? '', /^Patch 2 of 3 has conflicts in b\./);
		const stopped = head();
		stubbed.answers.push('Skip Patch');
		await assert.rejects(window.run('forge.apply.skip'), isAbort);
		assert.deepEqual([stubbed.shown.at(-1), head()], [doubt, stopped]);
	});

	test('counts a file as resolved only if git had a conflict in it', async () => {
		world.commit('a', otherwise(3), 'Otherwise');
		await stop();
		world.script(world.root, 'echo other >x; git add a x; git -c core.editor=true am --continue');
		world.fake.goTo('main');
		const told = /^Applied 3 .* The commits differ from the shown patches\..* patch 1: x\.$/;
		await eventually(async () => stubbed.shown.some((text) => told.test(text)), true);
	});

	test('is not known to be as shown after a comparison that failed', async () => {
		world.commit('a', otherwise(3), 'Otherwise');
		await stop();
		const deaf: typeof world.git = {
			...world.git,
			run: (command, place, signal) =>
				command.kind === 'committed' && place.folder === world.root
					? Promise.reject(new GitFailure({ kind: 'tooSlow' }))
					: world.git.run(command, place, signal),
		};
		const other = world.window({ parts: { git: deaf } });
		stubbed.answers.push('Continue');
		await other.run('forge.apply.continue');
		assert.match(
			stubbed.shown.at(-1) ?? '',
			/The commits could not be compared with the patches\. Compare them before/,
		);
		other.dispose();
	});

	test('triggers a question if git could not try it', async () => {
		world.commit('a', otherwise(3), 'Otherwise');
		await stop();
		rmSync(join(world.root, '.git/rebase-apply/0001'));
		symlinkSync('/nowhere', join(world.root, '.git/rebase-apply/0001'));
		const before = head();
		await assert.rejects(continueAsked(), isAbort);
		assert.deepEqual([stubbed.shown.at(-1), head()], ['Git could not try the patchset.', before]);
	});
});
