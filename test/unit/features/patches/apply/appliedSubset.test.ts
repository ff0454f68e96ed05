import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { GivenTrailer } from 'patchmail/series/seriesReading.ts';
import { byteText } from 'patchmail/patch/byteText.ts';
import { mailboxOf } from 'patchmail/series/mbox.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import type { SeriesMailbox } from '../../../../../src/features/patches/apply/seriesMailbox.ts';
import { eachInAppliedWorld, numbered, type AppliedWindow, type AppliedWorld } from '../support/appliedWorld.ts';
import { fake } from '../../../../support/fake.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { closed, stubbed } from '../../../../support/vscodeValues.ts';
import type { ListsContext } from '../../../../../src/features/lists/context/listsContext.ts';

const { judgedDoubts, judgedInClone } = await import('../../../../../src/features/patches/apply/judgedByGit.ts');
const { seriesMailbox } = await import('../../../../../src/features/patches/apply/seriesMailbox.ts');

const never = new AbortController().signal;
const signedOff = 'Signed-off-by: Alice Archer <alice@forge.test>';
/** The archive’s URL of a message. */
const linkTo = (id: number): string => `Link: https://lists.forge.test/~alice/devel/%3Cm${id}%40forge.test%3E`;
const list = 'Choose what of "Change three" to apply to main';

suite('the list of what to apply', function () {
	this.timeout(60_000);
	let world: AppliedWorld;
	let window: AppliedWindow;

	eachInAppliedWorld((made) => ({ world, window } = made));

	const apply = (...answers: readonly string[]): Promise<void> => {
		stubbed.answers.push('Current Branch main', ...answers);
		return window.run('forge.patchsets.apply', world.subject);
	};
	const subjects = (): readonly string[] => world.inClone('log', '--format=%s').split('\n');
	const messages = (): string => world.inClone('log', '--reverse', '--format=%B%x00', `${world.base}..`);

	/** Tree of `git am` with these mails of the series on the base. */
	function treeOfAm(...ids: readonly number[]): string {
		const mails = world.lists.world.mails.filter(({ id }) => ids.includes(id)).map(({ envelope }) => envelope);
		world.inClone('worktree', 'add', '-q', '--detach', '../am', world.base);
		const folder = join(world.root, '../am');
		world.feed(folder, Buffer.from(mailboxOf(mails)).toString('latin1'), 'am', '-q', '-3');
		return world.plain(folder, 'rev-parse', 'HEAD^{tree}').trim();
	}

	test('asks once, and git’s verdict and the authors are part of the question', async () => {
		await apply();
		assert.deepEqual(stubbed.asked, ['Choose where to apply "Change three"', list]);
		assert.equal(stubbed.hints.at(-1), 'Git applies the patches. Type numbers such as 1-3,5.');
		assert.deepEqual(
			stubbed.offered.map(({ label, description, picked }) => [label, description, picked]),
			[
				['Patches', undefined, undefined],
				['1. Change three', 'Alice <alice@forge.test>', true],
				['2. Change b', 'Alice <alice@forge.test>', true],
				['3. Change fifteen', 'Alice <alice@forge.test>', true],
				['Options', undefined, undefined],
				[signedOff, 'your own, to each patch', false],
				[linkTo(71), 'the URL of each message', false],
				['Message-ID: <m71@forge.test>', 'the id of each message', false],
				['Three-Way Merge', 'for patches that do not fit exactly', true],
			],
		);
		assert.equal(stubbed.shown.length, 1);
	});

	for (const [typed, ids] of [
		['1,3\t', [71, 73]],
		['2-\t', [72, 73]],
		['\t-1. Change three\n-3. Change fifteen', [72]],
	] as const) {
		test(`applies the checked patches as git am does (${JSON.stringify(typed)})`, async () => {
			await apply(typed);
			assert.equal(stubbed.shown.at(-1)?.startsWith('Applied '), true, stubbed.shown.at(-1));
			assert.equal(subjects().length, ids.length + 1);
			assert.equal(world.inClone('rev-parse', 'HEAD^{tree}'), treeOfAm(...ids));
		});
	}

	test('adds the own sign-off below a given trailer, and each message’s id and URL to its patch', async () => {
		const reviewed = 'Reviewed-by: Dora Reviewer <dora@forge.test>';
		world.reply(80, 71, `${reviewed}\n`);
		await apply(`1-2\t${[signedOff, linkTo(71), 'Message-ID: <m71@forge.test>'].join('\n')}`);
		const linesOf = (id: number): string => `${linkTo(id)}\nMessage-ID: <m${id}@forge.test>\n${signedOff}\n`;
		assert.equal(messages(), `Change three\n\n${reviewed}\n${linesOf(71)}\0\nChange b\n\n${linesOf(72)}\0`);
		assert.deepEqual(stubbed.shown, ['Applied 2 patches of "Change three" to main.']);
	});

	test('remembers own lines for the next patchset', async () => {
		await apply(signedOff);
		world.inClone('reset', '-q', '--hard', world.base);
		await apply();
		assert.deepEqual(
			stubbed.offered
				.filter(({ label }) => label === signedOff || label.startsWith('Link: '))
				.map(({ picked }) => picked),
			[true, false],
		);
		assert.equal(messages().split(signedOff).length, 4);
	});

	test('without a three-way merge, asks about a patch that does not fit', async () => {
		world.commit(
			'a',
			numbered((line) => (line === 6 ? 'VI' : String(line))),
			'Nearby',
		);
		await assert.rejects(apply('-Three-Way Merge'), isAbort);
		assert.equal(stubbed.hints.at(-1), 'Git applies the patches with a three-way merge. Type numbers such as 1-3,5.');
		assert.match(stubbed.shown.at(-1) ?? '', /^Git does not accept patch 1: patch failed: a:1\./);
		assert.equal(subjects().length, 2);
		await apply();
		assert.equal(subjects().length, 5);
	});

	test('lets the user confirm a doubt in the list, and asks about others and about changed ones', async () => {
		world.lists.world.series.set(7, world.lists.world.mails.slice(0, 2));
		world.lists.world.mails.splice(2);
		const missing = 'Patch 3 of 3 is missing.';
		await apply(missing);
		assert.deepEqual(stubbed.shown, ['Applied 2 patches of "Change three" to main.']);
		world.inClone('reset', '-q', '--hard', world.base);
		await assert.rejects(apply(), isAbort);
		assert.equal(stubbed.shown.at(-1), missing);
		assert.equal(subjects().length, 1);
	});

	test('asks again where to apply if a terminal commits while the list is open', async () => {
		Object.assign(world.flags, {
			set(key: string, value: unknown) {
				Reflect.deleteProperty(world.flags, 'set');
				world.inClone('commit', '-q', '--allow-empty', '-m', 'Meanwhile');
				world.flags.set(key, value);
			},
		});
		await apply('1\t', 'Another', 'Current Branch main');
		assert.equal(stubbed.shown[0], 'Another commit is checked out now. Choose again where to apply the patches.');
		assert.equal(stubbed.asked.filter((title) => title === list).length, 2);
		assert.deepEqual(subjects(), ['Change fifteen', 'Change b', 'Change three', 'Meanwhile', 'Begin']);
	});

	test('applies nothing without a checked patch, or when closed', async () => {
		await assert.rejects(apply('9\t'), isAbort);
		assert.deepEqual(stubbed.shown, ['Nothing was applied: no patch was checked.']);
		await assert.rejects(apply(closed), isAbort);
		assert.equal(subjects().length, 1);
	});

	suite('with a mailbox that differs from the choice', () => {
		let connection: Connection;
		/** Patches 1 and 2 with a sign-off. */
		let chosen: SeriesMailbox;
		/** All patches with it, as text. */
		let whole: string;

		setup(async () => {
			connection = listConnection(world.lists.api);
			const { series } = await connection.reviews.read(world.subject.ref, never);
			const [key, value] = ['Signed-off-by', 'Alice <alice@forge.test>'];
			const wishes = { trailers: [fake<GivenTrailer>({ key, value, patchIndexes: [1, 2] })], isMerging: true };
			chosen = await seriesMailbox(connection, series.patches.slice(0, 2), wishes, never);
			whole = byteText((await seriesMailbox(connection, series.patches, wishes, never)).bytes);
		});

		/** Doubts about the choice if git gets this text in its place. */
		async function doubts(given: string): Promise<readonly string[]> {
			const changed: SeriesMailbox = { ...chosen, bytes: Buffer.from(given, 'latin1'), with: () => changed };
			const parts = fake<ListsContext>({
				git: world.git,
				tempFolder: world.home,
				clock: fakeClock(),
				problems: quietProblems,
			});
			const judged = await judgedInClone(parts, { root: world.root, commit: world.base }, changed, never);
			return judgedDoubts(judged, 'commit').flatMap(({ text, details }) => [text, ...details]);
		}

		test('has no doubt if they are the same', async () => {
			assert.deepEqual(await doubts(byteText(chosen.bytes)), []);
		});

		test('notices a trailer that the user did not choose, and a chosen one that is missing', async () => {
			const own = 'Signed-off-by: Alice <alice@forge.test>\n';
			for (const lines of [`${own}Acked-by: Eve <eve@forge.test>\n`, '']) {
				assert.deepEqual(await doubts(byteText(chosen.bytes).replace(own, lines)), [
					'Git may apply something other than what is shown.',
					'Git commits another author, date or message than shown. Patches: 1.',
				]);
			}
		});

		test('notices a further patch, another one, and one that is missing', async () => {
			const [first = '', second = '', third = ''] = whole.split(/^(?=From )/m);
			for (const given of [whole, second, first]) {
				assert.deepEqual(await doubts(given), [
					'Git could not try the patchset.',
					'So its result was not compared with the shown patches. See the log for the reason.',
				]);
			}
			assert.deepEqual(await doubts(first + third), [
				'Git may apply something other than what is shown.',
				'Git writes other contents than the diffs show. Files:\nb\na',
				'Git commits another author, date or message than shown. Patches: 2.',
			]);
		});
	});
});
