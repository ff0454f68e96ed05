import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { fake } from '../../../../support/fake.ts';
import type { ListsDesk } from '../../../../../src/features/lists/parts/listsDesk.ts';
import type { Judgement } from '../../../../../src/features/lists/apply/judgedByGit.ts';
import { GitFailure } from '../../../../../src/machine/git/gitFailure.ts';
import type { FileThere } from '../../../../../src/engine/patch/tryFile.ts';
import { appliedWorld, numbered, type AppliedWorld } from '../../../../support/appliedWorld.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { askJudged, judgedByGit } = await import('../../../../../src/features/lists/apply/judgedByGit.ts');
const { seriesMailbox } = await import('../../../../../src/features/lists/apply/seriesMailbox.ts');

const { checkSentence } = await import('../../../../../src/features/lists/checks/checkTexts.ts');

const never = new AbortController().signal;
/** What the diffs find at the end of files, beside git. */
type Ends = Readonly<Record<string, string>>;

const zoe = { name: 'Zoe', address: 'zoe@forge.test' };

suite('git as the judge of a series', function () {
	this.timeout(60_000);
	let world: AppliedWorld;

	setup(() => (world = appliedWorld()));
	teardown(() => world.remove());

	async function judged(
		git = world.git,
		{ ends = {}, otherAuthorOf = 0 }: { readonly ends?: Ends; readonly otherAuthorOf?: number } = {},
	): Promise<Judgement | undefined> {
		const connection = listConnection(world.lists.api);
		const { series } = await connection.reviews.read(world.subject.ref, never);
		// No mail is known any more that git reads otherwise in silence.
		const patches = series.patches.map((each) =>
			each.index === otherAuthorOf ? { ...each, patch: { ...each.patch, author: zoe } } : each,
		);
		const mailbox = await seriesMailbox(connection, patches, [], never);
		const base = { kind: 'commit', root: world.root, commit: world.base } as const;
		const parts = fake<ListsDesk>({ git, tempFolder: world.home, problems: quietProblems, clock: fakeClock(0) });
		const read = async (path: string): Promise<FileThere> => ({
			kind: 'file',
			content: Buffer.from((path === 'a' ? numbered() : 'one\n') + (ends[path] ?? '')),
		});
		return judgedByGit(parts, base, mailbox, read, never);
	}

	test('names the files that it writes otherwise than the diffs show', async () => {
		const same = await judged();
		assert.deepEqual([same?.stop, same?.others], [undefined, []]);
		assert.deepEqual((await judged(world.git, { ends: { a: 'more\n' } }))?.others, ['a']);
		assert.deepEqual((await judged(world.git, { ends: { b: 'more\n' } }))?.others, ['b']);
	});

	test('takes a binary file without data from the clone, as the patch states it', async () => {
		const id = world.feed(world.root, 'two\0', 'hash-object', '-w', '--stdin').trim();
		const before = world.inClone('rev-parse', `${world.base}:b`);
		const diff = `index ${before}..${id} 100644\nBinary files a/b and b/b differ\n`;
		world.change([72], (envelope) => envelope.replace(/^index [^]*(?=-- \n)/m, diff));
		const { stop, others } = (await judged()) ?? {};
		assert.deepEqual([stop, others], [undefined, []]);
	});

	test('names the patches that it commits with another author or message', async () => {
		assert.deepEqual((await judged())?.otherMessages, []);
		assert.deepEqual((await judged(world.git, { otherAuthorOf: 2 }))?.otherMessages, [2]);
	});

	for (const [kind, from, to] of [
		['rejects', /^@@ .*/m, '@@ -1 +1,9 @@'],
		['cannot merge', /^-one$/m, '-other'],
	] as const) {
		test(`names differences before a patch that git ${kind}`, async () => {
			resetStub();
			world.change([72], (envelope) => envelope.replace(from, to));
			const same = await judged();
			assert.deepEqual([same?.stop?.index, same?.others, same?.otherMessages], [2, [], []]);
			const other = await judged(world.git, { ends: { a: 'more\n' }, otherAuthorOf: 1 });
			assert.deepEqual([other?.stop?.index, other?.others, other?.otherMessages], [2, ['a'], [1]]);
			stubbed.answers.push('Apply');
			await askJudged(other, 'Apply', 'commit');
			const check = { on: 'main', commit: world.base, verdicts: [], byGit: other, isFresh: () => true };
			for (const words of [stubbed.details.join('\n'), checkSentence(check)]) {
				assert.match(words, /Git writes other contents than the diffs show[^]*\ba\b/);
				assert.match(words, /Git commits another author or message than shown\. Patches: 1\./);
			}
		});
	}

	test('leaves the clone as it is', async () => {
		const state = (): string =>
			[['status', '--porcelain'], ['for-each-ref'], ['count-objects', '-v']]
				.map((args) => world.inClone(...args))
				.join('\n');
		const before = state();
		await judged();
		assert.equal(state(), before);
	});

	test('is not asked where git may not run', async () => {
		const git: AppliedWorld['git'] = {
			...world.git,
			run: () => Promise.reject(new GitFailure({ kind: 'notTrusted' })),
		};
		assert.equal(await judged(git), undefined);
	});
});
