import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import { fake } from '../../../../support/fake.ts';
import type { ListsContext } from '../../../../../src/features/lists/context/listsContext.ts';
import type { Judgement } from '../../../../../src/features/patches/apply/judgedByGit.ts';
import { GitFailure, type GitProblem } from 'hardened-git/gitFailure.ts';
import { appliedWorld, type AppliedWorld } from '../support/appliedWorld.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { testInRest } from '../../../../support/parts.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { askDoubts } = await import('../../../../../src/features/patches/apply/doubts.ts');
const { judgedDoubts, judgedInClone, unlessWithoutGit } =
	await import('../../../../../src/features/patches/apply/judgedByGit.ts');
const { seriesMailbox } = await import('../../../../../src/features/patches/apply/seriesMailbox.ts');

const { checkSentence } = await import('../../../../../src/features/lists/checks/checkTexts.ts');

const never = new AbortController().signal;
const zoe = { name: 'Zoe', address: 'zoe@forge.test' };

suite('trial of a series by git', function () {
	this.timeout(60_000);
	let world: AppliedWorld;

	setup(() => (world = appliedWorld()));
	teardown(() => world.remove());

	async function judged(git = world.git, otherAuthorOf = 0, commit = world.base): Promise<Judgement | undefined> {
		const connection = listConnection(world.lists.api);
		const { series } = await connection.reviews.read(world.subject.ref, never);
		// No known message makes git read another author silently, so the test changes the parsed one.
		const patches = series.patches.map((each) =>
			each.index === otherAuthorOf ? { ...each, patch: { ...each.patch, author: zoe } } : each,
		);
		const mailbox = await seriesMailbox(connection, patches, { trailers: [], isMerging: true }, never);
		const parts = fake<ListsContext>({ git, tempFolder: world.home, problems: quietProblems, clock: fakeClock(0) });
		return judgedInClone(parts, { root: world.root, commit }, mailbox, never);
	}

	const withDiff = (diff: string) => (envelope: string) => envelope.replace(/^diff --git [^]*(?=-- \n)/m, diff);
	/** Git joins lines 2 and 3. */
	const endInside = withDiff(
		'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n+new\n 1\n 2\n\\ No newline at end of file\n',
	);

	test('reports files that git writes differently than the diffs show', async () => {
		const same = await judged();
		assert.deepEqual([same?.stop, same?.others, same?.untried, same?.unseen], [undefined, [], [], []]);
		world.change([71], endInside);
		assert.deepEqual((await judged())?.others, ['a']);
	});

	test('reports a binary file without data, and takes it from the clone', async () => {
		const id = world.feed(world.root, 'two\0', 'hash-object', '-w', '--stdin').trim();
		const before = world.inClone('rev-parse', `${world.base}:b`);
		const diff = `diff --git a/b b/b\nindex ${before}..${id} 100644\nBinary files a/b and b/b differ\n`;
		world.change([72], withDiff(diff));
		const { stop, others, unseen } = (await judged()) ?? {};
		assert.deepEqual([stop, others, unseen], [undefined, [], [{ index: 2, path: 'b', id }]]);
	});

	testInRest('reports a file that is too large to compare', async () => {
		const large = 'x'.repeat(99).concat('\n').repeat(90_000);
		world.commit('b', large, 'Large');
		const blob = world.inClone('rev-parse', 'HEAD:b');
		const diff = `diff --git a/b b/b\nindex ${blob}..${'2'.repeat(40)} 100644\n--- a/b\n+++ b/b\n@@ -1,4 +1,5 @@\n+new\n${` ${'x'.repeat(99)}\n`.repeat(4)}`;
		world.change([72], withDiff(diff));
		const { stop, others, untried } = (await judged(world.git, 0, world.inClone('rev-parse', 'HEAD'))) ?? {};
		assert.deepEqual([stop, others, untried], [undefined, [], ['b']]);
	});

	test('reports patches that git commits with another author, date or message', async () => {
		assert.deepEqual((await judged())?.otherMessages, []);
		assert.deepEqual((await judged(world.git, 2))?.otherMessages, [2]);
		world.change([73], (envelope) => envelope.replace('\n---\n', '\n\u200bhidden\n---\n'));
		assert.deepEqual((await judged())?.otherMessages, []);
		world.change([71], (envelope) => envelope.replace(/^\n/m, '\nDate: Mon, 1 Jan 2001 00:00:00 +0000\n\n'));
		assert.deepEqual((await judged())?.otherMessages, [1]);
	});

	for (const [kind, from, to] of [
		['rejects', /^@@ .*/m, '@@ -1 +1,9 @@'],
		['cannot merge', /^-one$/m, '-other'],
	] as const) {
		const testKind = kind === 'rejects' ? test : testInRest;
		testKind(`reports differences before a patch that git ${kind}`, async () => {
			resetStub();
			world.change([72], (envelope) => envelope.replace(from, to));
			const same = await judged();
			assert.deepEqual([same?.stop?.index, same?.others, same?.otherMessages], [2, [], []]);
			world.change([71], endInside);
			const other = await judged(world.git, 1);
			assert.deepEqual([other?.stop?.index, other?.others, other?.otherMessages], [2, ['a'], [1]]);
			stubbed.answers.push('Apply');
			await askDoubts(judgedDoubts(other, 'commit'), 'Apply');
			const check = { on: 'main', commit: world.base, verdicts: [], byGit: other, isFresh: () => true };
			for (const words of [stubbed.details.join('\n'), checkSentence(check)]) {
				assert.match(words, /Git writes other contents than the diffs show[^]*\ba\b/);
				assert.match(words, /Git commits another author, date or message than shown\. Patches: 1\./);
			}
		});
	}

	test('asks the user if git could not try the patches', async () => {
		resetStub();
		const git: AppliedWorld['git'] = {
			...world.git,
			run: (command, how, signal) =>
				command.kind === 'committed'
					? Promise.reject(new GitFailure({ kind: 'tooMuch' }))
					: world.git.run(command, how, signal),
		};
		for (const on of ['commit', 'alone'] as const) {
			await assert.rejects(askDoubts(judgedDoubts(await judged(git), on), 'Apply'), isAbort);
			assert.equal(stubbed.shown.at(-1), 'Git could not try the patchset.');
		}
	});

	test('leaves the clone unchanged', async () => {
		const state = (): string =>
			[['status', '--porcelain'], ['for-each-ref'], ['count-objects', '-v']]
				.map((args) => world.inClone(...args))
				.join('\n');
		const before = state();
		await judged();
		assert.equal(state(), before);
	});

	test('fails without a usable git, and unlessWithoutGit accepts only that failure', async () => {
		const problems: readonly GitProblem[] = [
			{ kind: 'notTrusted' },
			{ kind: 'programMissing', program: 'git' },
			{ kind: 'tooOld', version: '2.31.8' },
		];
		for (const problem of problems) {
			const git: AppliedWorld['git'] = { ...world.git, run: () => Promise.reject(new GitFailure(problem)) };
			await assert.rejects(judged(git), { problem });
			assert.equal(await judged(git).catch(unlessWithoutGit), 'noGit');
		}
	});
});
