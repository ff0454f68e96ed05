import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import { appliedWorld, type AppliedWorld } from '../support/appliedWorld.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { mailCommits } from '../support/mailedCommits.ts';
import { testInRest } from '../../../../support/parts.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { copyAmCommand, saveMbox } = await import('../../../../../src/features/patches/apply/exportPatchset.ts');

const never = new AbortController().signal;

suite('export of a patchset with git', function () {
	this.timeout(60_000);
	let world: AppliedWorld;

	setup(() => {
		resetStub();
		world = appliedWorld();
	});
	teardown(() => world.remove());

	const parts = (): Parameters<typeof saveMbox>[0] => ({
		...listsParts(fakeConnections(listConnection(world.lists.api))),
		git: world.git,
		tempFolder: world.home,
	});
	const inClone = (): Parameters<typeof saveMbox>[0] => ({
		...parts(),
		findGit: world.editorGit,
		cloneClues: async () => [{ ref: { owner: '~alice', name: 'quill' }, list: world.subject.ref.list }],
	});
	const save = async (...answers: readonly string[]): Promise<string> => {
		stubbed.answers.push('/box.mbox', ...answers);
		await saveMbox(parts(), world.subject, never);
		return stubbed.written.at(-1)?.[1] ?? '';
	};

	/** Without the files that the patches add, because those need no clone. */
	const untried = (files: string): string =>
		`Saved /box.mbox. Open the clone to try these files with git before you apply them: ${files}.`;

	test('saves the files’ bytes when the server encodes 8-bit messages with CR LF inside', async () => {
		const commits = mailCommits(world, [{ 'neu.md': 'Größe\nzwei\n' }, { b: 'größer\n' }]);
		const box = await save();
		assert.deepEqual(stubbed.shown, [untried('b')]);
		world.feed(world.root, box, 'am', '-3');
		assert.equal(world.inClone('rev-parse', 'HEAD^{tree}'), world.inClone('rev-parse', `${commits.at(-1)}^{tree}`));
	});

	testInRest('asks nothing about changes at file ends, renames, deletions and modes', async () => {
		mailCommits(world, [
			{ a: '0\n', 'new/c': 'one\n' },
			{ a: '0\n1\n2\n3\n4\n5\n', 'new/c': '' },
			{ a: '0\n1\n2\n3\n4\n5\n6', b: 'no end' },
			{ a: '0\n1\n2\nthree\n4\n5\n6', b: 'end\n' },
		]);
		await save();
		assert.deepEqual(stubbed.shown, [untried('a, b')]);
	});

	test('tries the patches in the open clone, and asks if git writes other lines than shown', async () => {
		const endInside =
			'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n+new\n 1\n 2\n\\ No newline at end of file\n';
		world.change([71], (envelope) => envelope.replace(/^diff --git [^]*(?=-- \n)/m, endInside));
		assert.equal(await save().then(() => stubbed.shown.at(-1)), untried('a, b'));
		stubbed.answers.push('/box.mbox');
		await assert.rejects(saveMbox(inClone(), world.subject, never), isAbort);
		assert.equal(stubbed.shown.at(-1), 'Git may apply something other than what is shown.');
		assert.match(stubbed.details.at(-1) ?? '', /\na$/);
		await assert.rejects(copyAmCommand(inClone(), world.subject, never), isAbort);
		assert.deepEqual([stubbed.written.length, stubbed.copied], [1, []]);
	});

	testInRest('trusts a trailer from a second address if the mailmap of the open clone maps both', async () => {
		world.commit('.mailmap', 'Emil <emil@forge.test> <emil@elsewhere.test>\n', 'Map');
		world.reply(80, 71, 'Tested-by: Emil <emil@forge.test>\n', 'Emil <emil@elsewhere.test>');
		stubbed.answers.push('/box.mbox', 'Tested-by: Emil <emil@forge.test>');
		await saveMbox(inClone(), world.subject, never);
		assert.deepEqual(
			stubbed.offered.map(({ label }) => label),
			['From the person named', 'Tested-by: Emil <emil@forge.test>'],
		);
		assert.match(stubbed.written.at(-1)?.[1] ?? '', /^Tested-by: Emil <emil@forge\.test>/m);
	});

	test('asks nothing if the files in the open clone match', async () => {
		stubbed.answers.push('/box.mbox');
		await saveMbox(inClone(), world.subject, never);
		assert.deepEqual(stubbed.shown, ['Saved /box.mbox']);
	});

	test('asks about a binary file without data, with and without a clone', async () => {
		const before = world.inClone('rev-parse', `${world.base}:b`);
		const diff = `diff --git a/b b/b\nindex ${before}..${before.replaceAll(/[0-9]/g, '1')} 100644\nBinary files a/b and b/b differ\n`;
		world.change([72], (envelope) => envelope.replace(/^diff --git [^]*(?=-- \n)/m, diff));
		for (const each of [parts(), { ...parts(), trust: { ...parts().trust, isTrusted: () => false } }]) {
			stubbed.answers.push('/box.mbox');
			await assert.rejects(saveMbox(each, world.subject, never), isAbort);
			assert.match(stubbed.details.at(-1) ?? '', /^The patches do not contain these binary files\..*\nb$/);
		}
	});

	test('asks in the open clone about patches before a conflict too', async () => {
		const endInside =
			'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n+new\n 1\n 2\n\\ No newline at end of file\n';
		world.change([71], (envelope) => envelope.replace(/^diff --git [^]*(?=-- \n)/m, endInside));
		world.commit('b', 'three\n', 'Otherwise');
		stubbed.answers.push('/box.mbox');
		await assert.rejects(saveMbox(inClone(), world.subject, never), isAbort);
		assert.match(stubbed.details.at(-1) ?? '', /\na$/);
	});

	testInRest('names the files after a conflict with the open clone', async () => {
		world.commit('b', 'three\n', 'Otherwise');
		stubbed.answers.push('/box.mbox');
		await saveMbox(inClone(), world.subject, never);
		assert.deepEqual(stubbed.shown, [untried('b, a')]);
	});

	testInRest('asks before it exports patches that git rejects', async () => {
		mailCommits(world, [{ c: 'one\n' }, { d: 'two\n' }], (mail) =>
			Buffer.from(mail.toString('latin1').replaceAll(/\b([ab])\/d\b/g, '$1/c'), 'latin1'),
		);
		await assert.rejects(save(), isAbort);
		await assert.rejects(copyAmCommand(parts(), world.subject, never), isAbort);
		assert.deepEqual(stubbed.shown, Array(2).fill('Patch 2 conflicts with the patches before it.'));
		assert.deepEqual([stubbed.written, stubbed.copied], [[], []]);
		await save('Save');
		assert.equal(stubbed.written.length, 1);
	});
});
