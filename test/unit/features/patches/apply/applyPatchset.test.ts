import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { noGit } from '../../../../support/noGit.ts';
import { fake } from '../../../../support/fake.ts';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isAbort } from '@forge-desk/base/abort.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { AppliedTarget } from '../../../../../src/features/patches/apply/outcomes.ts';
import {
	savedApplied,
	type ApplyContext,
	type AppliedPatchset,
	type SavedApplied,
} from '../../../../../src/features/patches/apply/savedApplied.ts';
import type { ListsContext } from '../../../../../src/features/lists/context/listsContext.ts';
import { eachInAppliedWorld, numbered, type AppliedWindow, type AppliedWorld } from '../support/appliedWorld.ts';
import type { PatchsetReview, ReviewFailure } from '../../../../../src/store/lists/patchsets/patchsetReview.ts';
import { cancelAnnounced } from '../../../../support/cancelAnnounced.ts';
import { eventually } from '../../../../support/eventually.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { folderKey } from 'hardened-git/fileInClone.ts';
import { gitOverHttp } from '../support/gitOverHttp.ts';
import { fakeRepository, uriAt } from '../../../../support/fakeGit.ts';
import { testInRest } from '../../../../support/parts.ts';
import { stubbedWorkspace } from '../../../../support/stubbedWorkspace.ts';
import { stubbed, window as vscodeWindow } from '../../../../support/vscodeValues.ts';

const { stoppedStatus } = await import('../../../../../src/features/patches/apply/stoppedApplies.ts');
const { takeOutcome } = await import('../../../../../src/features/patches/apply/outcomes.ts');
const { unreadDoubts } = await import('../../../../../src/features/patches/apply/doubts.ts');
const { reviewUri } = await import('../../../../../src/features/lists/subjects/reviewUri.ts');

const keptIn = ({ lists, kept, clock }: AppliedWorld): SavedApplied =>
	savedApplied(fakeConnections(listConnection(lists.api)), () => kept, clock);

/** The status in another window without any applied patchset. */
function anotherWindow(world: AppliedWorld): ReturnType<typeof stoppedStatus> {
	const parts = fake<ListsContext>({
		findGit: world.editorGit,
		folderKey: (path) => folderKey(path, false),
		git: world.git,
		trust: { isTrusted: () => true, onDidGrant: () => ({ dispose: () => undefined }) },
		problems: quietProblems,
		clock: world.clock,
		flags: noGit().flags,
	});
	return stoppedStatus(parts, keptIn(world), async () => undefined);
}

suite('applying a patchset', function () {
	this.timeout(60_000);
	let world: AppliedWorld;
	let window: AppliedWindow;

	eachInAppliedWorld((made) => ({ world, window } = made));
	teardown(() => void Object.assign(vscodeWindow, { activeTextEditor: undefined }));

	const atBase = (): string => `New Worktree at Base Commit ${world.base.slice(0, 10)}…`;
	const folder = (): string => join(world.root, '../quill-change-three');
	const subjects = (at = world.root): readonly string[] => world.plain(at, 'log', '--format=%s').trim().split('\n');
	const keptNow = (): readonly AppliedPatchset[] => keptIn(world).all();
	/** Rows of the last list below the patches and above the options. */
	const offeredTrailers = (): typeof stubbed.offered => {
		const last = stubbed.offered.findLastIndex(({ label }) => /^\d\. /.test(label));
		return stubbed.offered.slice(
			last + 1,
			stubbed.offered.findIndex(({ label }) => label === 'Options'),
		);
	};
	const apply = (...answers: readonly string[]): Promise<void> => {
		stubbed.answers.push(...answers);
		return window.run('forge.patchsets.apply', world.subject);
	};

	test('creates a worktree with a branch at the base commit, and offers the next steps', async () => {
		world.commit('c', 'later\n', 'Later');
		await apply(atBase(), 'change-three');
		assert.deepEqual(stubbed.shown, ['Applied 3 patches of "Change three" to change-three.']);
		assert.deepEqual(stubbed.buttons, [['Open Worktree', 'Push…', 'Mark Applied']]);
		assert.deepEqual(stubbed.prefilled, ['change-three']);
		assert.deepEqual(subjects(folder()), ['Change fifteen', 'Change b', 'Change three', 'Begin']);
		assert.deepEqual(subjects(), ['Later', 'Begin']);
		assert.equal(world.plain(folder(), 'symbolic-ref', 'HEAD').trim(), 'refs/heads/change-three');
	});

	testInRest('uses the next free folder and branch name', async () => {
		await apply(atBase(), 'change-three');
		await apply(atBase(), 'change-three');
		assert.equal(stubbed.shown.at(-1), 'Applied 3 patches of "Change three" to change-three-2.');
		assert.ok(existsSync(`${folder()}-2`));
	});

	test('adds the commits to the current branch, and marks the patchset applied on request', async () => {
		await apply('Current Branch main', 'Mark Applied');
		assert.deepEqual(subjects(), ['Change fifteen', 'Change b', 'Change three', 'Begin']);
		assert.deepEqual(stubbed.buttons, [['Push…', 'Mark Applied']]);
		await eventually(async () => stubbed.executed.length, 1);
		assert.deepEqual(stubbed.executed, ['forge.patchsets.setStatus']);
		assert.deepEqual(stubbed.passed, [{ ...world.subject, status: 'applied' }]);
	});

	test('offers Push and Undo after a failed comparison, even for a patchset with the status applied', async () => {
		const made = world.lists.world.patchsets.get('~alice/devel') ?? [];
		world.lists.world.patchsets.set(
			'~alice/devel',
			made.map((each) => ({ ...each, status: 'applied' })),
		);
		const connection = listConnection(world.lists.api);
		await connection.lists.patchset(world.subject.ref, new AbortController().signal);
		const desk = fake<ApplyContext>({
			connections: fakeConnections(connection),
			git: world.git,
			applied: keptIn(world),
			problems: quietProblems,
			clock: world.clock,
			changed: async () => undefined,
		});
		const before = world.inClone('rev-parse', 'HEAD');
		const after = world.commit('c', 'later\n', 'Later');
		const target = { subject: world.subject, root: world.root, before, given: undefined, title: 'Change three' };
		const outcome = { kind: 'applied', folder: world.root, before, after, complaint: '' } as const;
		await takeOutcome(desk, fake<AppliedTarget>(target), outcome, new AbortController().signal);
		assert.deepEqual(stubbed.buttons, [['Push…', 'Undo…']]);
	});

	testInRest('applies the patchset of the active review document', async () => {
		const { connectionKey, ref } = world.subject;
		const uri = reviewUri({ connectionKey, ref });
		Object.assign(vscodeWindow, { activeTextEditor: { document: { uri } } });
		stubbed.answers.push('Current Branch main');
		await window.run('forge.patchsets.apply');
		assert.deepEqual(stubbed.shown, ['Applied 3 patches of "Change three" to main.']);
	});

	testInRest('opens the worktree in a new window', async () => {
		await apply(atBase(), 'change-three', 'Open Worktree');
		await eventually(async () => stubbed.executed.length, 1);
		assert.deepEqual(stubbed.executed, ['vscode.openFolder']);
		assert.deepEqual(stubbed.passedMore, [[{ forceNewWindow: true }]]);
	});

	test('adds the chosen trailers, and leaves doubtful ones unchecked', async () => {
		world.reply(80, 71, '> three\n\nGood.\n\nReviewed-by: Dora Reviewer <dora@forge.test>\n');
		world.reply(81, 72, 'Tested-by: Emil Tester <emil@forge.test>\n', 'Mallory <mallory@elsewhere.test>');
		const reviewed = 'Reviewed-by: Dora Reviewer <dora@forge.test>';
		await apply('Current Branch main', reviewed);
		assert.deepEqual(
			offeredTrailers().map(({ label, picked, detail }) => [label, picked, detail]),
			[
				['From the person named', undefined, undefined],
				[reviewed, true, '2 days ago'],
				['From someone else', undefined, undefined],
				[
					'Tested-by: Emil Tester <emil@forge.test>',
					false,
					'Not sure: the message is from Mallory <mallory@elsewhere.test>.',
				],
			],
		);
		const messages = world.inClone('log', '--reverse', '--format=%B', `${world.base}..`);
		assert.match(
			messages,
			/^Change three\n\nReviewed-by: Dora Reviewer <dora@forge\.test>\n+Change b\n+Change fifteen$/,
		);
	});

	suite('with a trailer sent from another address of its person', () => {
		const tested = 'Tested-by: Emil Tester <emil@forge.test>';
		const mapped = 'Emil Tester <emil@forge.test> <emil@elsewhere.test>\n';
		setup(() => world.reply(80, 71, `${tested}\n`, 'Emil Tester <emil@elsewhere.test>'));

		/** Heading, label and state of the trailer in the last question. */
		async function offered(...answers: readonly string[]): Promise<readonly unknown[]> {
			stubbed.offered.length = 0;
			await apply(atBase(), 'change-three', ...answers);
			const [heading, trailer] = offeredTrailers();
			return [heading?.label, trailer?.label, trailer?.picked];
		}

		const sure = ['From the person named', tested, true];
		const doubtful = ['From someone else', tested, false];

		test('trusts it if the mailmap at the clone’s HEAD maps both addresses to one person', async () => {
			world.commit('.mailmap', mapped, 'Map');
			assert.deepEqual(await offered(tested), sure);
			assert.match(world.plain(folder(), 'log', '--format=%B'), /Tested-by: Emil Tester <emil@forge\.test>/);
		});

		testInRest('doubts it with an uncommitted mailmap, and while git applies another series', async () => {
			writeFileSync(join(world.root, '.mailmap'), mapped);
			assert.deepEqual(await offered('\n'), doubtful);
			rmSync(join(world.root, '.mailmap'));
			world.commit('.mailmap', mapped, 'Map');
			mkdirSync(join(world.root, '.git/rebase-apply'));
			writeFileSync(join(world.root, '.git/rebase-apply/applying'), '');
			assert.deepEqual(await offered('\n'), doubtful);
		});

		testInRest('trusts it after the user confirms the addresses, until the user removes the confirmation', async () => {
			assert.deepEqual(await offered(tested, 'Remember as One Person'), doubtful);
			assert.ok(
				stubbed.shown.includes(
					'You added a trailer of emil@forge.test that emil@elsewhere.test sent. If both addresses are of one person, later trailers need no question.',
				),
			);
			assert.deepEqual(await offered(tested), sure);
			stubbed.answers.push('emil@elsewhere.test, emil@forge.test');
			await window.run('forge.patchsets.forgetAddresses');
			assert.deepEqual(await offered('\n'), doubtful);
			await window.run('forge.patchsets.forgetAddresses');
			assert.match(stubbed.shown.at(-1) ?? '', /^No second addresses are remembered\./);
		});
	});

	testInRest('offers links from replies unchecked, and the authors of messages that a list sent', async () => {
		const [ann, fixes] = ['From: Ann Lee <ann@lee.test>', 'Fixes: 0123456789ab ("Begin")'];
		world.change([71, 72], (envelope) =>
			envelope.replace(
				/^From: .*$/m,
				'From: Ann Lee via devel <devel@lists.forge.test>\nReply-To: Ann Lee <ann@lee.test>',
			),
		);
		world.reply(
			80,
			72,
			`Please add this:\n\n${fixes}\nLink: see above\nLink: https://a.test/\u0430\nCloses: https://todo.forge.test/~bob/other/7\n`,
		);
		await apply('Current Branch main', [ann, fixes].join('\n'));
		assert.deepEqual(
			offeredTrailers().map(({ label, picked, description, detail }) => [label, picked, description, detail]),
			[
				['Links', undefined, undefined, undefined],
				[fixes, false, 'patch 2', 'Sent by Dora Reviewer <dora@forge.test>'],
				['Closes: https://todo.forge.test/~bob/other/7', false, 'patch 2', 'Sent by Dora Reviewer <dora@forge.test>'],
				['Authors of messages that a list sent', undefined, undefined, undefined],
				[ann, true, 'patches 1 and 2', 'Sent by Ann Lee via devel <devel@lists.forge.test>'],
			],
		);
		assert.deepEqual(world.inClone('log', '--reverse', '--format=%an <%ae>|%b', `${world.base}..`).split('\n'), [
			'Ann Lee <ann@lee.test>|',
			`Ann Lee <ann@lee.test>|${fixes}`,
			'',
			'Alice <alice@forge.test>|',
		]);
	});

	test('adds trailers of replies since the last read, and asks about own messages that did not arrive', async () => {
		const acked = 'Acked-by: Dora Reviewer <dora@forge.test>';
		await assert.rejects(apply(), isAbort);
		world.reply(80, 73, `${acked}\n`);
		const lacking = [1, 0];
		Object.assign(world.connection, {
			sentMails: { ...world.connection.sentMails, lacking: async () => lacking.shift() ?? 0 },
		});
		await assert.rejects(apply('Current Branch main'), isAbort);
		assert.equal(stubbed.shown.at(-1), '1 message that you sent has not arrived at the list.');
		const rows = stubbed.offered.map(({ label }) => label);
		assert.equal(rows.lastIndexOf('Patches'), rows.lastIndexOf('Doubts: check them to apply anyway') + 2);
		await apply('Current Branch main', acked);
		assert.match(world.inClone('log', '-1', '--format=%B'), /^Change fifteen\n\nAcked-by: Dora Reviewer/);
	});

	testInRest('asks first if replies failed to load, because their trailers would be missing', async () => {
		world.reply(80, 71, 'Reviewed-by: Dora Reviewer <dora@forge.test>\n');
		world.lists.world.before = (call) => {
			if (call.startsWith('thread')) {
				throw new ForgeError({ kind: 'serverError', status: 503 });
			}
		};
		await assert.rejects(apply('Current Branch main'), isAbort);
		assert.equal(stubbed.shown.at(-1), 'Not all replies could be read.');
		assert.deepEqual(subjects(), ['Begin']);
		await apply('Current Branch main', 'Apply');
		assert.equal(subjects().length, 4);
	});

	testInRest('adds reviews of an earlier version to unchanged patches, and names that version', async () => {
		const [, , third] = world.lists.world.mails;
		assert.ok(third);
		const subject = '[PATCH v2] Change fifteen again';
		const envelope = third.envelope.replace('<m73@', '<m79@').replace(/^Subject: .*$/m, `Subject: ${subject}`);
		const again = { ...third, id: 79, messageId: '<m79@forge.test>', subject, envelope, patchsetId: undefined };
		world.lists.world.mails.push({ ...again, parentId: 71, threadId: 71 });
		const acked = 'Acked-by: Dora Reviewer <dora@forge.test>';
		world.reply(80, 73, `${acked}\n`);
		world.reply(81, 73, 'Tested-by: Emil Tester <emil@forge.test>\n', 'Mallory <mallory@elsewhere.test>');
		await apply('Version 2', 'Current Branch main', acked);
		assert.deepEqual(
			offeredTrailers().map(({ label, picked, description }) => [label, picked, description]),
			[
				['From the person named', undefined, undefined],
				[acked, true, 'all patches · given on v1, patch unchanged'],
			],
		);
		assert.match(world.inClone('log', '-1', '--format=%B'), /^Change fifteen again\n\nAcked-by: Dora Reviewer/);
	});

	test('doubts a series if replies to an earlier version failed to load, but not for other failures', () => {
		const reviewWith = (part: ReviewFailure['part']): PatchsetReview =>
			fake<PatchsetReview>({
				failures: [{ part, error: new Error('The line is dead') }],
				series: fake<PatchsetReview['series']>({ problems: [] }),
			});
		assert.deepEqual(unreadDoubts(reviewWith('versions')), []);
		const [doubt, ...others] = unreadDoubts(reviewWith('earlierReplies'));
		assert.deepEqual([doubt?.text, others], ['Not all replies could be read.', []]);
	});

	suite('with a newer version in its thread', () => {
		setup(() => {
			const [, , third] = world.lists.world.mails;
			assert.ok(third);
			world.lists.world.mails.push({
				...third,
				id: 79,
				messageId: '<m79@forge.test>',
				subject: '[PATCH v2] Change fifteen again',
				envelope: third.envelope
					.replace('<m73@', '<m79@')
					.replace(/^Subject: .*$/m, 'Subject: [PATCH v2] Change fifteen again')
					.replaceAll(' three\n', ' 3\n'),
				parentId: 71,
				threadId: 71,
				patchsetId: undefined,
			});
			world.reply(80, 79, 'Reviewed-by: Dora Reviewer <dora@forge.test>\n');
		});

		test('asks for the version, newest first, and applies it with its own trailers', async () => {
			await apply('Version 2', 'Current Branch main', 'Reviewed-by: Dora Reviewer <dora@forge.test>');
			assert.deepEqual(stubbed.asked.slice(0, 2), [
				'Choose a version: "Change three" is not the newest',
				'Choose where to apply version 2 of "Change fifteen again"',
			]);
			assert.deepEqual(subjects(), ['Change fifteen again', 'Begin']);
			assert.match(world.inClone('log', '-1', '--format=%B'), /Reviewed-by: Dora/);
		});

		testInRest('applies the patchset’s own version on request', async () => {
			await apply('Version 1', 'Current Branch main');
			assert.equal(subjects().length, 4);
		});
	});

	test('leaves out patches already in the branch, and names the commit', async () => {
		const there = world.commit('b', 'two\n', 'The same in other words');
		await apply('New Worktree at main…', 'change-three');
		assert.deepEqual(
			stubbed.offered.slice(1, 4).map(({ label, picked, detail }) => [label, picked, detail]),
			[
				['1. Change three', true, undefined],
				['2. Change b', false, `Already in main: commit ${there.slice(0, 10)}.`],
				['3. Change fifteen', true, undefined],
			],
		);
		assert.deepEqual(subjects(folder()), ['Change fifteen', 'Change three', 'The same in other words', 'Begin']);
	});

	testInRest('checks git’s current state, not the editor’s cached one', async () => {
		const { head } = world.fake;
		world.commit('b', 'two\n', 'The same in other words');
		world.fake.head = head;
		await apply('New Worktree at main…', 'change-three');
		assert.deepEqual(subjects(folder()), ['Change fifteen', 'Change three', 'The same in other words', 'Begin']);
	});

	test('reports that all patches are already in the branch, and offers to mark it', async () => {
		await apply('Current Branch main');
		world.fake.head = { name: 'main', commit: world.inClone('rev-parse', 'HEAD') };
		await assert.rejects(apply('Current Branch main'), isAbort);
		assert.equal(stubbed.shown.at(-1), 'All patches are already in main. Nothing was changed.');
		assert.deepEqual(stubbed.buttons.at(-1), ['Mark Applied', 'Apply Anyway']);
		assert.equal(subjects().length, 4);
	});

	testInRest('applies an already applied patchset on request', async () => {
		await apply('Current Branch main');
		// One commit with another change, so no patch id shows the revert.
		world.inClone('checkout', '-q', world.base, '--', 'a', 'b');
		world.commit('c', 'else\n', 'Begin again');
		await assert.rejects(apply('Current Branch main', 'Apply Anyway'), isAbort);
		await eventually(async () => stubbed.shown.at(-1), 'Applied 3 patches of "Change three" to main.');
		assert.ok(
			stubbed.shown.includes(
				'Commits of main make the same changes, but its files do not show them. Nothing was changed.',
			),
		);
		assert.deepEqual(subjects().slice(0, 4), ['Change fifteen', 'Change b', 'Change three', 'Begin again']);
	});

	testInRest('asks again where to apply if the branch changed before Apply Anyway', async () => {
		await apply('Current Branch main');
		const answer = Promise.withResolvers<string>();
		stubbed.laterAnswers.push(answer.promise);
		await assert.rejects(apply('Current Branch main'), isAbort);
		world.inClone('checkout', '-q', '-b', 'elsewhere', world.base);
		stubbed.answers.push('Current Branch elsewhere');
		const asked = stubbed.asked.length;
		answer.resolve('Apply Anyway');
		await eventually(async () => stubbed.shown.at(-1), 'Applied 3 patches of "Change three" to elsewhere.');
		assert.deepEqual(stubbed.asked.slice(asked), [
			'Choose where to apply "Change three"',
			'Choose what of "Change three" to apply to elsewhere',
		]);
	});

	testInRest('applies in a clone with commits that cannot be compared', async () => {
		// As in a partial clone with missing blobs.
		world.commit('c', 'lost\n', 'Lost');
		const blob = world.inClone('rev-parse', 'HEAD:c');
		world.commit('c', 'found\n', 'Found');
		rmSync(join(world.root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
		await apply('Current Branch main');
		assert.equal(stubbed.shown.at(-1), 'Applied 3 patches of "Change three" to main.');
	});

	testInRest('treats reverted patches as not applied, and restored ones as applied', async () => {
		await apply('Current Branch main');
		world.inClone('revert', '--no-edit', 'HEAD~1');
		await apply('New Worktree at main…', 'once');
		assert.deepEqual(
			stubbed.offered.slice(1, 4).map(({ picked }) => picked),
			[false, true, false],
		);
		assert.deepEqual(subjects(join(world.root, '../quill-once')).slice(0, 2), ['Change b', 'Revert "Change b"']);
		world.inClone('revert', '--no-edit', 'HEAD');
		await assert.rejects(apply('Current Branch main'), isAbort);
		assert.equal(stubbed.shown.at(-1), 'All patches are already in main. Nothing was changed.');
		for (const commit of ['HEAD', 'HEAD~3', 'HEAD~6']) {
			world.inClone('revert', '--no-edit', commit);
		}
		const before = subjects().length;
		await apply('Current Branch main');
		assert.equal(subjects().length, before + 3);
	});

	test('reports a missing base commit, and rejects invalid branch names', async () => {
		world.lists.world.mails.forEach((mail, at, all) => {
			all[at] = { ...mail, envelope: mail.envelope.replace(world.base, '0123456789'.repeat(4)) };
		});
		world.lists.world.series.set(7, [...world.lists.world.mails]);
		await assert.rejects(apply('New Worktree at main…', '--output=x'), isAbort);
		const rows = stubbed.offered.map(({ label, detail }) => `${label} ${detail ?? ''}`);
		assert.equal(rows.length, 2);
		assert.match(rows[0] ?? '', /The clone does not have the base commit 0123456789\.$/);
		assert.match(stubbed.shown.at(-1) ?? '', /^Enter a branch name/);
	});

	test('runs no git in an untrusted window, and reports a missing clone', async () => {
		const distrusting = world.window({ isTrusted: false });
		await distrusting.run('forge.patchsets.apply', world.subject);
		assert.match(stubbed.shown.at(-1) ?? '', /Restricted Mode/);
		world.editorGit.close(world.fake);
		await assert.rejects(apply(), isAbort);
		assert.match(stubbed.shown.at(-1) ?? '', /^No clone is open in this window\./);
		distrusting.dispose();
	});

	test('pushes the applied commits after a confirmation, and then sets the status on request', async () => {
		world.inClone('push', '-q', world.bare, 'main');
		await assert.rejects(window.run('forge.patchsets.push'), isAbort);
		assert.deepEqual(stubbed.shown, ['No patchset was applied yet.']);
		await apply(atBase(), 'change-three', 'Push…');
		await eventually(async () => stubbed.executed, ['forge.patchsets.push']);
		const told: unknown[] = [];
		Object.assign(world.connection.repositories, { apply: (news: unknown) => told.push(news) });
		stubbed.answers.push('main', 'Push', 'Set Status to Applied');
		await window.run('forge.patchsets.push', stubbed.passed.at(-1));
		assert.deepEqual(told, [{ kind: 'referencesMoved', ref: { owner: '~alice', name: 'quill' } }]);
		assert.equal(stubbed.shown.at(-2), 'Push to main (origin)?');
		assert.match(
			stubbed.details.at(-1) ?? '',
			/^Patchset: Change three\nURL: git@git\.forge\.test:~alice\/quill\nCommit: [0-9a-f]{10}\nThe push removes/,
		);
		assert.equal(stubbed.shown.at(-1), 'Pushed to main (origin). Done: Set Status to Applied.');
		assert.equal(world.plain(world.bare, 'log', '-1', '--format=%s', 'main').trim(), 'Change fifteen');
		assert.equal(world.lists.world.patchsets.get('~alice/devel')?.[0]?.status, 'applied');
		assert.deepEqual(stubbed.executed, ['forge.patchsets.push']);
	});

	testInRest('pushes with the typed user name and password, and stores neither', async () => {
		world.plain(world.bare, 'config', 'http.receivepack', 'true');
		const server = await gitOverHttp(join(world.bare, '..'), { user: 'alice', password: 'open sesame' });
		try {
			world.fake.remotes.splice(0, 1, { name: 'origin', fetchUrl: `${server.origin}/bare` });
			await apply(atBase(), 'change-three');
			stubbed.answers.push('main', 'Push', 'alice', 'wrong');
			await window.run('forge.patchsets.push', { folder: folder() });
			assert.match(stubbed.shown.at(-1) ?? '', /^The server denied access to git\. Check your user name, password/);
			stubbed.answers.push('main', 'Push', 'alice');
			await assert.rejects(window.run('forge.patchsets.push', { folder: folder() }), isAbort);
			stubbed.answers.push('main', 'Push', 'alice', 'open sesame');
			await window.run('forge.patchsets.push', { folder: folder() });
			assert.equal(stubbed.shown.at(-1), 'Pushed to main (origin).');
			assert.deepEqual(stubbed.asked.slice(-3, -1), ['Pushing to main (origin)…', 'Pushing to main (origin)…']);
			assert.equal(world.plain(world.bare, 'log', '-1', '--format=%s', 'main').trim(), 'Change fifteen');
			const left = readdirSync(world.folder, { recursive: true, withFileTypes: true })
				.filter((entry) => entry.isFile())
				.map((entry) => join(entry.parentPath, entry.name))
				.filter((path) => readFileSync(path, 'latin1').includes('open sesame'));
			assert.deepEqual(left, []);
		} finally {
			await server.stop();
		}
	});

	testInRest('pushes from a clone that the editor knows by another path', async () => {
		await apply('Current Branch main');
		const named = join(world.root, '../another-name');
		symlinkSync(world.root, named);
		const opened = fakeRepository(named);
		opened.remotes.push(...world.fake.remotes);
		world.editorGit.close(world.fake);
		world.editorGit.open(opened);
		stubbed.answers.push('main', 'Push');
		await window.run('forge.patchsets.push', { folder: world.root });
		assert.equal(stubbed.shown.at(-1), 'Pushed to main (origin).');
	});

	test('pushes the patchset in front without a choice, and asks between others or several clones of it', async () => {
		const push = async (id: number): Promise<string | undefined> => {
			const subject = { ...world.subject, ref: { ...world.subject.ref, id } };
			await assert.rejects(window.run('forge.patchsets.push', subject), isAbort);
			return stubbed.asked.at(-1);
		};
		await apply(atBase(), 'change-three');
		assert.equal(await push(7), 'Choose the branch to push to');
		assert.equal(await push(8), 'Choose the patchset to push');
		await apply('Current Branch main');
		assert.equal(await push(7), 'Choose the patchset to push');
	});

	testInRest('pushes later commits too, after the question names them', async () => {
		await apply(atBase(), 'change-three');
		const after = world.plain(folder(), 'rev-parse', 'HEAD').trim();
		stubbed.answers.push('change-three');
		await assert.rejects(window.run('forge.patchsets.push', { folder: folder() }), isAbort);
		assert.doesNotMatch(stubbed.details.at(-1) ?? '', /not the commit/);
		writeFileSync(join(folder(), 'b'), 'by hand\n');
		world.plain(folder(), 'commit', '-qam', 'By hand');
		const head = world.plain(folder(), 'rev-parse', 'HEAD').trim();
		stubbed.answers.push('change-three', 'Push');
		await window.run('forge.patchsets.push', { folder: folder() });
		assert.deepEqual(stubbed.details.at(-1)?.split('\n').slice(2, 4), [
			`Commit: ${head.slice(0, 10)}`,
			`This is not the commit that applying made (${after.slice(0, 10)}). All commits up to the one that is checked out now are pushed.`,
		]);
		assert.equal(world.plain(world.bare, 'rev-parse', 'change-three').trim(), head);
	});

	test('never pushes over other commits or without a confirmation', async () => {
		world.commit('c', 'theirs\n', 'Theirs');
		world.inClone('push', '-q', world.bare, 'main');
		await apply(atBase(), 'change-three');
		stubbed.answers.push('main');
		await assert.rejects(window.run('forge.patchsets.push', { folder: folder() }), isAbort);
		stubbed.answers.push('main', 'Push');
		await window.run('forge.patchsets.push', { folder: folder() });
		assert.match(stubbed.shown.at(-1) ?? '', /^main \(origin\) has commits that this branch does not\./);
		assert.equal(world.plain(world.bare, 'log', '-1', '--format=%s', 'main').trim(), 'Theirs');
		stubbed.answers.push('change-three', 'Push');
		await window.run('forge.patchsets.push', { folder: folder() });
		assert.equal(world.plain(world.bare, 'log', '-1', '--format=%s', 'change-three').trim(), 'Change fifteen');
	});

	testInRest('removes its worktrees on request, except those with uncommitted changes', async () => {
		world.inClone('update-ref', 'refs/remotes/origin/main', 'main');
		await apply(atBase(), 'change-three');
		await apply(atBase(), 'other');
		// On another commit: commits made in the same second would have equal ids.
		world.commit('c', 'later\n', 'Later');
		await apply('New Worktree at main…', 'third');
		world.inClone('update-ref', 'refs/remotes/origin/third', 'third');
		world.inClone('worktree', 'add', '-q', '-b', 'mine', join(world.root, '../mine'));
		const [two, third] = ['other', 'third'].map((name) => join(world.root, `../quill-${name}`));
		writeFileSync(join(two ?? '', 'new'), 'not committed\n');
		stubbed.answers.push('Change three', 'Remove');
		await window.run('forge.patchsets.removeWorktrees');
		assert.deepEqual(
			stubbed.offered.map(({ label, description, picked }) => [label, description, picked]),
			[
				['Everything is committed', undefined, undefined],
				['Change three', 'change-three · 3 commits not pushed', false],
				['Change three', 'third', true],
				['Not removed while there are uncommitted changes', undefined, undefined],
				['Change three', 'other · uncommitted changes · 3 commits not pushed', false],
			],
		);
		assert.equal(stubbed.shown.at(-2), 'Remove 2 worktrees?');
		assert.equal(stubbed.shown.at(-1), 'Removed 2 worktrees.');
		assert.deepEqual(
			[folder(), two ?? '', third ?? ''].map((each) => existsSync(each)),
			[false, true, false],
		);
		assert.match(world.inClone('branch', '--list', 'change-three'), /change-three/);
		stubbed.answers.push('Change three');
		await assert.rejects(window.run('forge.patchsets.removeWorktrees'), isAbort);
		assert.equal(stubbed.shown.at(-1), 'Commit or discard the changes in these worktrees first.');
		assert.ok(existsSync(two ?? ''));
	});

	testInRest('offers no worktree for removal that is open in the window under any path', async () => {
		await apply(atBase(), 'change-three');
		const named = join(world.root, '../another-name');
		symlinkSync(folder(), named);
		world.editorGit.open(fakeRepository(named));
		// The editor opens worktrees of a clone as repositories on its own. The user can still remove them.
		await assert.rejects(window.run('forge.patchsets.removeWorktrees'), isAbort);
		assert.equal(stubbed.offered.filter(({ label }) => label === 'Change three').length, 1);
		for (const uri of [uriAt(named), uriAt(join(named, 'sub'))]) {
			mkdirSync(uri.fsPath, { recursive: true });
			stubbedWorkspace.folders.splice(0, 1, { uri, name: 'quill', index: 0 });
			await window.run('forge.patchsets.removeWorktrees');
			assert.equal(stubbed.shown.at(-1), 'No worktrees of patchsets were found.');
			stubbed.shown.length = 0;
		}
		stubbedWorkspace.folders.length = 0;
		world.editorGit.close(world.fake);
		await window.run('forge.patchsets.removeWorktrees');
		assert.equal(stubbed.shown.at(-1), 'No worktrees of patchsets were found.');
	});

	test('lists the ignored files of a worktree before it removes them', async () => {
		await apply(atBase(), 'change-three');
		world.inClone('update-ref', 'refs/remotes/origin/change-three', 'change-three');
		writeFileSync(join(world.root, '.git/info/exclude'), '.env\n');
		writeFileSync(join(folder(), '.env'), 'secret\n');
		stubbed.answers.push('Change three');
		await assert.rejects(window.run('forge.patchsets.removeWorktrees'), isAbort);
		assert.deepEqual(stubbed.offered.map(({ description, picked }) => [description, picked]).slice(0, 2), [
			[undefined, undefined],
			['change-three · 1 ignored file or folder', false],
		]);
		assert.equal(stubbed.warned.at(-1), 'Remove 1 worktree?');
		assert.equal(
			stubbed.details.at(-1),
			`${folder()}\nIgnored files are deleted with them:\n${join(folder(), '.env')}`,
		);
		assert.ok(existsSync(folder()));
		stubbed.answers.push('Change three', 'Remove');
		await window.run('forge.patchsets.removeWorktrees');
		assert.equal(stubbed.shown.at(-1), 'Removed 1 worktree.');
	});

	testInRest('keeps a worktree if an ignored file appears after the question, or if it is locked', async () => {
		await apply(atBase(), 'change-three');
		writeFileSync(join(world.root, '.git/info/exclude'), '.env\n');
		const answer = Promise.withResolvers<string>();
		stubbed.answers.push('Change three');
		stubbed.laterAnswers.push(answer.promise);
		const removing = window.run('forge.patchsets.removeWorktrees');
		await eventually(async () => stubbed.shown.at(-1), 'Remove 1 worktree?');
		writeFileSync(join(folder(), '.env'), 'secret\n');
		answer.resolve('Remove');
		await removing;
		assert.equal(stubbed.shown.at(-1), `Not removed, because something in it changed: ${folder()}`);
		assert.ok(existsSync(join(folder(), '.env')));
		world.inClone('worktree', 'lock', folder());
		stubbed.answers.push('Change three', 'Remove');
		await window.run('forge.patchsets.removeWorktrees');
		assert.equal(stubbed.shown.at(-1), `Git could not remove: ${folder()}. See the log for details.`);
	});

	testInRest('removes all chosen worktrees, even one that the editor has open as a repository', async () => {
		await apply(atBase(), 'change-three');
		await apply(atBase(), 'other');
		world.editorGit.open(fakeRepository(folder()));
		stubbed.answers.push('Change three', 'Remove');
		await window.run('forge.patchsets.removeWorktrees');
		assert.deepEqual(stubbed.shown.slice(-2), ['Remove 2 worktrees?', 'Removed 2 worktrees.']);
	});

	test('stores the record before git starts, so the next window finds it after a crash', async () => {
		const written: (readonly [string | undefined, string, string])[] = [];
		const write = world.kept.write.bind(world.kept);
		Object.assign(world.kept, {
			write: async (text: string) => {
				await write(text);
				for (const { folder: at, after } of keptNow()) {
					written.push([after, at, world.plain(at, 'rev-parse', 'HEAD').trim()]);
				}
			},
		});
		await apply(atBase(), 'change-three');
		assert.deepEqual(written[0], [undefined, folder(), world.base]);
		assert.equal(written.at(-1)?.[0], world.plain(folder(), 'rev-parse', 'HEAD').trim());
	});

	testInRest('keeps the record when another window checks it before git starts', async () => {
		const [asked, looked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		const write = world.kept.write.bind(world.kept);
		Object.assign(world.kept, {
			write: async (text: string) => {
				await write(text);
				if (keptNow().length > 0) {
					asked.resolve();
					await looked.promise;
				}
			},
		});
		stubbed.answers.push(atBase(), 'change-three');
		const applying = window.run('forge.patchsets.apply', world.subject);
		await asked.promise;
		const status = anotherWindow(world);
		await status.refresh();
		assert.deepEqual(
			keptNow().map(({ folder: at, after }) => [at, after]),
			[[folder(), undefined]],
		);
		status.dispose();
		looked.resolve();
		await applying;
		assert.equal(keptNow()[0]?.after, world.plain(folder(), 'rev-parse', 'HEAD').trim());
	});

	testInRest('drops the record in the next window if git made no commit before the crash', async () => {
		await apply(atBase(), 'change-three');
		const [applied] = keptNow();
		assert.ok(applied);
		world.plain(folder(), 'reset', '-q', '--hard', applied.before);
		await keptIn(world).put({ ...applied, after: undefined, begunMs: world.clock.nowMs() });
		const status = anotherWindow(world);
		await status.refresh();
		assert.equal(keptNow().length, 1);
		world.clock.advance(21 * 60_000);
		await status.refresh();
		assert.deepEqual(keptNow(), []);
		status.dispose();
	});

	test('compares and reports in the next window if git finished after the crash', async () => {
		await apply(atBase(), 'change-three');
		const [applied] = keptNow();
		assert.ok(applied);
		await keptIn(world).put({ ...applied, after: undefined, begunMs: world.clock.nowMs() });
		world.clock.advance(21 * 60_000);
		stubbed.shown.length = 0;
		const next = world.window();
		await eventually(async () => stubbed.shown, ['Applied 3 patches of "Change three" to change-three.']);
		assert.equal(keptNow()[0]?.after, applied.after);
		next.dispose();
	});

	testInRest('drops the record if git refuses to start, and keeps the earlier one', async () => {
		writeFileSync(join(world.root, 'b'), 'staged\n');
		world.inClone('add', 'b');
		await apply('Current Branch main', 'Apply');
		assert.match(stubbed.shown.at(-1) ?? '', /^Staged changes are in the way\./);
		assert.deepEqual(keptNow(), []);
		world.inClone('reset', '-q', '--hard');
		await apply('Current Branch main');
		const before = keptNow();
		assert.equal(before.length, 1);
		writeFileSync(join(world.root, 'b'), 'staged\n');
		world.inClone('add', 'b');
		await assert.rejects(apply('Current Branch main', 'Apply Anyway', 'Apply'), isAbort);
		await eventually(async () => stubbed.shown.filter((text) => text.startsWith('Staged changes')).length, 2);
		assert.deepEqual(keptNow(), before);
	});

	test('reports the branch’s commit when the user cancels during a commit', async () => {
		world.commit(
			'a',
			numbered((line) => (line === 15 ? 'XV' : String(line))),
			'Fifteen otherwise',
		);
		const begun = join(world.folder, 'begun');
		const slow = join(world.folder, 'slow-git');
		const note = `cat .git/ORIG_HEAD > .git/rebase-apply/abort-safety; touch '${begun}'; exec sleep 1000`;
		const script = `#!/bin/sh\ncase "$PWD $*" in '${world.root} '*' am --3way '*) git "$@"; ${note};; esac\nexec git "$@"\n`;
		writeFileSync(slow, script, { mode: 0o755 });
		Object.assign(world.parts, { gitPath: async () => slow });
		window.dispose();
		window = world.window();
		const before = world.inClone('rev-parse', 'HEAD').slice(0, 10);
		const applying = apply('Current Branch main');
		await eventually(async () => existsSync(begun), true);
		await cancelAnnounced(/^Applying /);
		await applying;
		const head = world.inClone('rev-parse', 'HEAD').slice(0, 10);
		assert.notEqual(head, before);
		assert.equal(
			stubbed.shown.at(-1),
			`Applying was ended early, and git left main at ${head}. Before, it was at ${before}: reset the branch in a terminal to go back there.`,
		);
		assert.deepEqual(keptNow(), []);
	});

	testInRest('removes worktrees of the remaining clones, and reports the missing one', async () => {
		await apply(atBase(), 'change-three');
		const gone = join(world.root, '../gone');
		world.editorGit.close(world.fake);
		world.editorGit.open(fakeRepository(gone));
		await window.run('forge.patchsets.removeWorktrees');
		const told = `Not searched, because the folder is gone: ${gone}. Close its repository in the Source Control view.`;
		assert.deepEqual(stubbed.shown.slice(-2), [told, 'No worktrees of patchsets were found.']);
		world.editorGit.open(world.fake);
		// The first answer closes the notice.
		stubbed.answers.push('', 'Change three', 'Remove');
		await window.run('forge.patchsets.removeWorktrees');
		assert.equal(stubbed.shown.at(-1), 'Removed 1 worktree.');
		assert.equal(stubbed.shown.filter((text) => text === told).length, 2);
		assert.equal(existsSync(folder()), false);
	});

	test('reports that no apply is in progress', async () => {
		await assert.rejects(window.run('forge.apply.continue'), isAbort);
		assert.deepEqual(stubbed.shown, ['No patchset is being applied.']);
	});

	test('shows no waiting status while git runs in a terminal or another window', async () => {
		window.dispose();
		const state = join(world.root, '.git/rebase-apply');
		const write = (name: string, text: string): void => writeFileSync(join(state, name), text);
		mkdirSync(state);
		const options = "'--whitespace=nowarn' '--exclude=[forge-desk-6d61696e'";
		Object.entries({ last: '3', next: '1', applying: '', 'apply-opt': options, 'abort-safety': world.base }).forEach(
			([name, text]) => write(name, text),
		);
		const status = anotherWindow(world);
		const isShown = async (): Promise<boolean> => {
			await status.refresh();
			return stubbedWorkspace.status.isShown;
		};
		assert.deepEqual([await isShown(), await isShown()], [false, false]);
		world.clock.advance(2900);
		write('next', '2');
		world.clock.advance(200);
		assert.equal(await isShown(), false);
		world.clock.advance(3000);
		await eventually(async () => stubbedWorkspace.status.isShown, true);
		assert.equal(stubbedWorkspace.status.text, '$(git-merge) Applying 2 of 3');
		write('next', '3');
		assert.equal(await isShown(), false);
		status.dispose();
	});

	suite('with a conflict', () => {
		setup(async () => {
			world.commit(
				'a',
				numbered((line) => (line === 3 ? 'III' : String(line))),
				'Otherwise',
			);
			await apply('New Worktree at main…', 'change-three');
			stubbed.shown.length = 0;
			stubbed.buttons.length = 0;
		});

		test('names the file, and keeps the status bar item after a reload', async () => {
			assert.equal(stubbedWorkspace.status.text, '$(git-merge) Applying 1 of 3');
			assert.equal(stubbed.contexts.get('forge.applying'), true);
			assert.equal(
				stubbedWorkspace.status.accessibilityInformation?.label,
				'Change three: Patch 1 of 3 has conflicts in a. Resolve them, then continue.',
			);
			assert.equal(world.flags.get('forge.applying'), true);
			window.dispose();
			assert.equal(stubbedWorkspace.status.isShown, false);
			window = world.window();
			await eventually(async () => stubbedWorkspace.status.isShown, true);
			assert.equal(stubbedWorkspace.status.text, '$(git-merge) Applying 1 of 3');
		});

		test('continues only without conflict markers and after a confirmation', async () => {
			await window.run('forge.apply.continue');
			assert.deepEqual(stubbed.shown, ['a still has conflict markers. Resolve and save it, then continue.']);
			writeFileSync(
				join(folder(), 'a'),
				numbered((line) => (line === 3 ? 'solved' : String(line))),
			);
			await assert.rejects(window.run('forge.apply.continue'), isAbort);
			stubbed.answers.push('Continue');
			await window.run('forge.apply.continue');
			assert.equal(
				stubbed.shown.at(-1),
				'Applied 3 patches of "Change three" to change-three. Where you resolved conflicts, the commits differ from the patches: patch 1: a.',
			);
			assert.deepEqual(subjects(folder()), ['Change fifteen', 'Change b', 'Change three', 'Otherwise', 'Begin']);
			assert.match(readFileSync(join(folder(), 'a'), 'utf8'), /^solved$/m);
			assert.equal(stubbedWorkspace.status.isShown, false);
			assert.equal(world.flags.get('forge.applying'), undefined);
			assert.equal(stubbed.contexts.get('forge.applying'), false);
		});

		testInRest('accepts a file that the merge editor resolved and staged', async () => {
			writeFileSync(
				join(folder(), 'a'),
				numbered((line) => (line === 3 ? 'solved' : String(line))),
			);
			world.plain(folder(), 'add', 'a');
			stubbed.answers.push('Continue Applying…', 'Continue');
			await window.run('forge.apply.show');
			assert.match(stubbed.asked.at(-1) ?? '', /^Patch 1 of 3 is waiting, and no file has conflicts\./);
			assert.equal(stubbed.details.at(-1), 'a');
			assert.equal(
				stubbed.shown.at(-1),
				'Applied 3 patches of "Change three" to change-three. Where you resolved conflicts, the commits differ from the patches: patch 1: a.',
			);
		});

		testInRest('asks about a file staged with conflict markers or with its text from before both changes', async () => {
			const stage = (text: string | undefined): void => {
				if (text !== undefined) {
					writeFileSync(join(folder(), 'a'), text);
				}
				world.plain(folder(), 'add', 'a');
			};
			stage(undefined);
			// Git commits the staged text, not the saved one.
			writeFileSync(join(folder(), 'a'), 'solved\n');
			await assert.rejects(window.run('forge.apply.continue'), isAbort);
			assert.deepEqual(stubbed.shown, ['Are all conflicts of patch 1 resolved?']);
			assert.deepEqual(stubbed.buttons.at(-1), ['Continue Anyway']);
			assert.match(stubbed.details.at(-1) ?? '', /^1 file is staged with conflict markers, .*\n\na$/);
			stage(numbered());
			await assert.rejects(window.run('forge.apply.continue'), isAbort);
			assert.deepEqual(stubbed.buttons.at(-1), ['Continue Anyway']);
			assert.match(stubbed.details.at(-1) ?? '', /^1 file is probably not resolved\..*\n\na\n\nWhat is staged is /);
			stage(numbered((line) => (line === 3 ? 'solved' : String(line))));
			await assert.rejects(window.run('forge.apply.continue'), isAbort);
			assert.deepEqual([stubbed.buttons.at(-1), stubbed.details.at(-1)], [['Continue'], 'a']);
			stubbed.answers.push('Continue');
			await window.run('forge.apply.continue');
			assert.equal(
				stubbed.shown.at(-1),
				'Applied 3 patches of "Change three" to change-three. Where you resolved conflicts, the commits differ from the patches: patch 1: a.',
			);
		});

		testInRest('asks about a file that the merge editor only prepared, and continues on request', async () => {
			writeFileSync(join(folder(), 'a'), numbered());
			await assert.rejects(window.run('forge.apply.continue'), isAbort);
			assert.equal(stubbed.shown.at(-1), 'Are all conflicts of patch 1 resolved?');
			assert.deepEqual(stubbed.buttons.at(-1), ['Continue Anyway']);
			const [told, named] = stubbed.details.at(-1)?.split('\n\n') ?? [];
			assert.match(
				told ?? '',
				/^1 file is probably not resolved\. At a conflict it still has the text from before both/,
			);
			assert.equal(named, 'a');
			writeFileSync(
				join(folder(), 'a'),
				numbered((line) => (line === 3 ? 'solved' : String(line))),
			);
			await assert.rejects(window.run('forge.apply.continue'), isAbort);
			assert.deepEqual([stubbed.buttons.at(-1), stubbed.details.at(-1)], [['Continue'], 'a']);
			writeFileSync(join(folder(), 'a'), numbered());
			stubbed.answers.push('Continue Anyway');
			await window.run('forge.apply.continue');
			assert.equal(world.plain(folder(), 'show', 'HEAD~2:a'), numbered());
		});

		testInRest(
			'opens the conflicting files as text, or in the merge editor if the editor knows the folder',
			async () => {
				stubbed.answers.push('Open Files with Conflicts');
				await window.run('forge.apply.show');
				assert.equal(stubbed.hints.at(-1), 'Choose how to continue with "Change three"');
				assert.deepEqual(stubbed.executed, ['vscode.open']);
				const opened = { ...world.fake.repository, rootUri: uriAt(folder()) };
				world.editorGit.open({ ...world.fake, repository: opened });
				await window.run('forge.apply.openConflicts', { folder: folder() });
				assert.deepEqual(stubbed.executed, ['vscode.open', 'git.openMergeEditor']);
			},
		);

		testInRest('stays a single entry when the window has its folder open under another path', async () => {
			const named = join(world.root, '../another-name');
			symlinkSync(folder(), named);
			world.editorGit.open(fakeRepository(named));
			stubbed.answers.push('Abort Applying');
			await window.run('forge.apply.abort');
			assert.equal(stubbed.warned.at(-1), 'Abort applying "Change three"?');
			assert.deepEqual(subjects(folder()), ['Otherwise', 'Begin']);
		});

		test('skips the patch after a warning', async () => {
			await assert.rejects(window.run('forge.apply.skip'), isAbort);
			assert.equal(stubbed.warned.at(-1), 'Skip patch 1 of 3 of "Change three"?');
			await assert.rejects(window.run('forge.apply.skip', { folder: '/elsewhere' }), isAbort);
			assert.equal(stubbed.shown.at(-1), 'No patchset is being applied in /elsewhere any more.');
			stubbed.answers.push('Skip Patch');
			await window.run('forge.apply.skip', { folder: folder() });
			assert.deepEqual(subjects(folder()), ['Change fifteen', 'Change b', 'Otherwise', 'Begin']);
		});

		testInRest('survives a temporarily missing folder', async () => {
			renameSync(folder(), `${folder()}-away`);
			window.dispose();
			window = world.window();
			await eventually(async () => world.flags.get('forge.applying'), undefined);
			renameSync(`${folder()}-away`, folder());
			window.dispose();
			window = world.window();
			await eventually(async () => world.flags.get('forge.applying'), true);
		});

		testInRest('has nothing to push after the user skips all patches', async () => {
			world.commit('a', 'all else\n', 'All else');
			world.commit('b', 'all else\n', 'All else');
			await apply('Current Branch main');
			for (const _ of [1, 2, 3]) {
				stubbed.answers.push('Skip Patch');
				await window.run('forge.apply.skip', { folder: world.root });
			}
			assert.equal(stubbed.shown.at(-1), 'All patches of "Change three" were skipped. main has no new commits.');
			await assert.rejects(window.run('forge.patchsets.push'), isAbort);
			assert.equal(stubbed.shown.at(-1), 'No patchset was applied yet.');
		});

		const moves: Readonly<Record<string, readonly [string, (at: string) => string]>> = {
			'a commit': ['git commit -qam "By hand"', (at) => `change-three at ${at}`],
			'another branch': ['git checkout -qf -b elsewhere', (at) => `elsewhere at ${at}`],
			'no branch': ['git checkout -qf --detach', (at) => at],
		};
		for (const [name, [move, now]] of Object.entries(moves)) {
			const testForm = name === 'no branch' ? testInRest : test;
			testForm(`with ${name} in between, touches nothing, and Abort ends only the series`, async () => {
				const before = world.inClone('rev-parse', 'HEAD').slice(0, 10);
				writeFileSync(
					join(folder(), 'a'),
					numbered((line) => (line === 3 ? 'solved' : String(line))),
				);
				world.script(folder(), move);
				const head = world.plain(folder(), 'rev-parse', 'HEAD').trim().slice(0, 10);
				const found = world.script(folder(), 'git status --porcelain; git for-each-ref');
				for (const command of ['forge.apply.continue', 'forge.apply.skip'] as const) {
					await assert.rejects(window.run(command), isAbort);
					assert.equal(
						stubbed.shown.at(-1),
						`${now(head)} is checked out now, not change-three at ${before}. Go back to it in a terminal, then try again.`,
					);
					assert.deepEqual(stubbed.buttons.at(-1), ['Abort…']);
				}
				stubbed.answers.push('Abort Applying');
				await window.run('forge.apply.abort');
				assert.match(stubbed.details.at(-1) ?? '', /So only the series ends: branches, commits and files stay/);
				assert.equal(
					stubbed.shown.at(-1),
					`Applying was aborted, and ${now(head)} is checked out now. Before, it was change-three at ${before}: compare both in a terminal.`,
				);
				assert.equal(world.script(folder(), 'git status --porcelain; git for-each-ref'), found);
				assert.equal(stubbedWorkspace.status.isShown, false);
			});
		}

		testInRest('reports only the commit on abort without a record of the start', async () => {
			await world.kept.write('[]');
			world.editorGit.open({ ...world.fake, repository: { ...world.fake.repository, rootUri: uriAt(folder()) } });
			stubbed.answers.push('Abort Applying');
			await window.run('forge.apply.abort');
			const head = world.inClone('rev-parse', 'HEAD').slice(0, 10);
			assert.equal(stubbed.shown.at(-1), `Applying was aborted. change-three at ${head} is checked out now.`);
		});

		testInRest('leaves an apply alone that a terminal starts in an open clone or worktree', async () => {
			stubbed.answers.push('Abort Applying');
			await window.run('forge.apply.abort');
			const mails = world.lists.world.mails.map(({ envelope }) => `From nobody Mon Sep 17 00:00:00 2001\n${envelope}`);
			const own = join(world.root, '../own');
			world.inClone('worktree', 'add', '-q', '-b', 'own', own);
			const opened = fakeRepository(own);
			world.editorGit.open(opened);
			for (const [at, clone] of [
				[world.root, world.fake],
				[own, opened],
			] as const) {
				assert.throws(() => world.feed(at, mails.join(''), 'am', '-3'));
				clone.goTo('main');
				world.clock.advance(6000);
				await assert.rejects(window.run('forge.apply.abort'), isAbort);
				assert.equal(stubbed.shown.at(-1), 'No patchset is being applied.');
				await assert.rejects(window.run('forge.apply.skip', { folder: at }), isAbort);
				assert.equal(stubbed.contexts.get('forge.applying'), false);
				assert.equal(existsSync(join(world.plain(at, 'rev-parse', '--absolute-git-dir').trim(), 'rebase-apply')), true);
			}
		});

		testInRest('counts the other waiting patchsets in the status bar', async () => {
			const said = (): readonly unknown[] => {
				const { text, accessibilityInformation } = stubbedWorkspace.status;
				return [text, accessibilityInformation?.label.replace(/^.*continue\./, '')];
			};
			assert.deepEqual(said(), ['$(git-merge) Applying 1 of 3', '']);
			await apply('New Worktree at main…', 'second');
			assert.deepEqual(said(), ['$(git-merge) Applying 1 of 3 (+1)', ' 1 more patchset is waiting.']);
			await apply('New Worktree at main…', 'third');
			assert.deepEqual(said(), ['$(git-merge) Applying 1 of 3 (+2)', ' 2 more patchsets are waiting.']);
		});

		testInRest('is running for other windows while git runs, and stopped after git ends', async () => {
			const isBegun: (boolean | undefined)[] = [];
			const write = world.kept.write.bind(world.kept);
			Object.assign(world.kept, {
				write: async (text: string) => {
					await write(text);
					isBegun.push(...keptNow().map(({ begunMs }) => begunMs !== undefined));
				},
			});
			stubbed.answers.push('Skip Patch');
			await window.run('forge.apply.skip');
			assert.deepEqual([isBegun[0], isBegun.at(-1)], [true, false]);
		});

		testInRest('hides the waiting status while git runs', async () => {
			window.dispose();
			const status = anotherWindow(world);
			await status.during(() => status.refresh());
			assert.equal(stubbedWorkspace.status.isShown, false);
			await status.refresh();
			assert.equal(stubbedWorkspace.status.isShown, true);
			status.dispose();
		});

		test('aborts on request, and ends when the user aborts in a terminal', async () => {
			stubbed.answers.push('Abort Applying');
			await window.run('forge.apply.abort');
			assert.equal(stubbed.shown.at(-1), 'Applying was aborted. The branch is as it was before.');
			assert.deepEqual(subjects(folder()), ['Otherwise', 'Begin']);
			assert.equal(stubbedWorkspace.status.isShown, false);
			await apply('Current Branch main');
			assert.equal(stubbedWorkspace.status.isShown, true);
			world.inClone('am', '--abort');
			window.dispose();
			window = world.window();
			await eventually(async () => world.flags.get('forge.applying'), undefined);
			assert.equal(stubbedWorkspace.status.isShown, false);
		});
	});
});
