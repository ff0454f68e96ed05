import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { Email } from 'sourcehut/port/list.ts';
import { makeMail, makePatchset } from '../../../../support/makeMail.ts';
import { makeUser } from '../../../../support/makeTicket.ts';
import { posting, submitWorld, type SubmitWorld } from '../support/submitWorld.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

suite('sending a branch that is not the first one', function () {
	this.timeout(60_000);
	let world: SubmitWorld;

	setup(() => {
		resetStub();
		world = submitWorld();
	});
	teardown(() => world.remove());

	const prepare = async (...answers: readonly (string | undefined)[]): Promise<void> => {
		stubbed.answers.push(...answers);
		await world.run('forge.submit.prepare');
	};
	const rowOf = (label: string): string | undefined => stubbed.offered.find((row) => row.label === label)?.description;
	/** Opens the list of "Send Patches…" and closes it. */
	const look = (): Promise<void> => assert.rejects(prepare(undefined), isAbort);
	const letterOf = () => {
		const [about] = world.documents.opened;
		assert.ok(about?.kind === 'mail');
		return { kind: 'series', connectionKey: about.connectionKey, id: about.name.replace('series-', '') };
	};

	/** Version 1 of the branch with a cover letter, as the list has it, and replies of Bob, Carol and Dan. */
	function sentBefore({ isRecorded = true, change = (text: string) => text } = {}): void {
		const envelopes = world
			.inClone(
				'format-patch',
				'--stdout',
				'--cover-letter',
				'--from=Alice Archer <alice@forge.test>',
				'--subject-prefix=PATCH quill',
				`${world.base}..main`,
			)
			.split(/^From [0-9a-f]{40} Mon Sep 17 00:00:00 2001\n/m)
			.slice(1)
			.map((text) => text.replace('*** SUBJECT HERE ***', 'All of it').replace('*** BLURB HERE ***', 'Why.'))
			.map(change);
		const mails = envelopes.map((text, at): Email => {
			const id = 10 + at;
			const parent = at === 0 ? '' : 'In-Reply-To: <m10@forge.test>\n';
			const subject = /^Subject: (.*)$/m.exec(text)?.[1] ?? '';
			return makeMail({
				id,
				isPatch: true,
				subject,
				sender: makeUser('alice'),
				...(at === 0 ? {} : { parentId: 10, threadId: 10 }),
				envelope: `Message-ID: <m${id}@forge.test>\nTo: ${posting}\n${parent}${text}`,
			});
		});
		const reply = (id: number, parentId: number, from: string, text: string): Email =>
			makeMail({
				id,
				parentId,
				threadId: 10,
				subject: 'Re: it',
				envelope: `From: ${from}\nSubject: Re: it\nMessage-ID: <m${id}@forge.test>\nIn-Reply-To: <m${parentId}@forge.test>\n\n${text}\n`,
			});
		const bob = 'Bob Builder <bob@forge.test>';
		const carol = 'Carol <carol@forge.test>';
		const dan = 'Dan <dan@forge.test>';
		const replies = [
			reply(21, 11, bob, `Good.\n\nReviewed-by: ${bob}`),
			reply(22, 10, carol, `Acked-by: ${carol}`),
			reply(23, 12, dan, `Tested-by: ${dan}`),
		];
		world.lists.world.mails.push(...mails, ...replies);
		world.lists.world.series.set(7, mails);
		const others = [3, 4].map((id) =>
			makePatchset({ id, subject: `Mine ${id}`, prefix: 'quill', submitter: 'Alice Archer <alice@forge.test>' }),
		);
		const own = makePatchset({
			id: 7,
			subject: 'All of it',
			prefix: 'quill',
			submitter: 'Alice Archer <alice@forge.test>',
			messageId: '<m12@forge.test>',
			coverLetter: mails[0],
		});
		world.lists.world.patchsets.set('~alice/devel', isRecorded ? [...others, own] : others);
	}

	test('offers the next version first if the patches of an earlier one have these titles or changes', async () => {
		sentBefore();
		await look();
		assert.deepEqual([rowOf('Version…'), rowOf('Prefix…')], ['Version 2 of "All of it"', '[PATCH quill v2]']);
		world.inClone('commit', '-q', '--amend', '-m', 'Another title');
		world.fake.head = { ...world.fake.head, commit: world.inClone('rev-parse', 'HEAD') };
		await look();
		assert.equal(rowOf('Version…'), 'Version 2 of "All of it"', 'one title and both changes are the same');
	});

	test('remembers the series of a branch, whatever became of its commits', async () => {
		const submitter = 'Alice <alice@forge.test>';
		world.lists.world.patchsets.set('~alice/devel', [makePatchset({ id: 7, subject: 'Write two', submitter })]);
		await prepare('Version…', 'New Series', 'Send Without a Cover Letter', 'Preview Patches');
		stubbed.answers.push('Send');
		await world.run('forge.submit.send', world.previewUri());
		assert.equal(world.mailer.sent.length, 2);
		await assert.rejects(world.run('forge.submit.preview'), isAbort);
		assert.equal(stubbed.shown.at(-1), 'No patches are prepared. Use Send Patches… first.');
		world.inClone('reset', '-q', '--hard', world.base);
		world.commit('other', 'other\n', 'Something else');
		await look();
		assert.equal(rowOf('Version…'), 'Version 2 of "Write two"');
		world.fake.head = { ...world.fake.head, name: 'another' };
		await look();
		assert.equal(rowOf('Version…'), 'New Series');
	});

	test('goes to the list that got the branch last first, then to that of the folder', async () => {
		await prepare('Send Without a Cover Letter', 'Preview Patches');
		stubbed.answers.push('Send');
		await world.run('forge.submit.send', world.previewUri());
		stubbed.asked.length = 0;
		await look();
		assert.doesNotMatch(stubbed.asked.join('\n'), /Choose the list/, 'both are the same');
		await world.kept.write(String(world.kept.read()).replace('"name":"devel"', '"name":"other"'));
		await assert.rejects(prepare(undefined), isAbort);
		assert.deepEqual(
			[stubbed.asked.at(-1), stubbed.offered.map(({ label, detail }) => [label, detail])],
			[
				'Choose the list for these patches',
				[
					['~alice/other', 'Got the last patches of this branch.'],
					['~alice/devel', 'The list of this folder.'],
					['Another List…', undefined],
				],
			],
		);
		world.fake.head = { ...world.fake.head, name: 'another' };
		stubbed.asked.length = 0;
		await look();
		assert.doesNotMatch(stubbed.asked.join('\n'), /Choose the list/, 'nothing of this branch was sent');
	});

	test('adds the trailers of unchanged patches, and offers those of changed ones unchecked', async () => {
		sentBefore();
		world.inClone('reset', '-q', '--hard', 'main~1');
		world.commit('b', 'b, differently\n', 'Write b');
		await look();
		assert.equal(rowOf('Trailers…'), 'Reviewed-by: Bob Builder <bob@forge.test> · Acked-by: Carol <carol@forge.test>');
		assert.equal(
			rowOf('Cc…'),
			'Bob Builder <bob@forge.test>, Carol <carol@forge.test>, Dan <dan@forge.test>',
			'everyone who replied',
		);
		await assert.rejects(prepare('Trailers…', undefined), isAbort);
		assert.deepEqual(
			stubbed.offered.map(({ label, picked }) => [label, picked]),
			[
				['For patches with the same changes', undefined],
				['Reviewed-by: Bob Builder <bob@forge.test>', true],
				['Acked-by: Carol <carol@forge.test>', true],
				['For patches that changed since, which these people have not seen', undefined],
				['Acked-by: Carol <carol@forge.test>', false],
				['Tested-by: Dan <dan@forge.test>', false],
			],
		);
		await prepare('Send Without a Cover Letter', 'Preview Patches');
		const [first = '', second = ''] = (await world.preview()).split('Message 2 of 2');
		assert.match(
			first,
			/\nBecause\.\n\nReviewed-by: Bob Builder <bob@forge\.test>\nAcked-by: Carol <carol@forge\.test>\n---\n/,
		);
		assert.doesNotMatch(second, /^(?:Reviewed|Acked|Tested)-by/m);
	});

	test('says for which changes each trailer was given, and shows the difference', async () => {
		sentBefore();
		world.inClone('reset', '-q', '--hard', 'main~1');
		world.commit('b', 'b, differently\n', 'Write b');
		await assert.rejects(prepare('Trailers…', undefined), isAbort);
		assert.deepEqual(
			stubbed.offered.flatMap(({ label, detail }) => (detail === undefined ? [] : [[label.split(':')[0], detail]])),
			[
				['Reviewed-by', 'Given to patch 1 of v1, which has the same changes to the same files.'],
				['Acked-by', 'Given to patch 1 of v1, which has the same changes to the same files.'],
				['Acked-by', 'Given to patch 2 of v1, which has other changes.'],
				['Tested-by', 'Given to patch 2 of v1, which has other changes.'],
			],
		);
		await assert.rejects(prepare('Compare With v1', undefined), isAbort);
		assert.equal(stubbed.executed.at(-1), 'vscode.open');
		assert.match(String(stubbed.passed.at(-1)), /v1\.\.PATCH.*\.range-diff$/);
		const row = stubbed.offered.find(({ label }) => label === 'Trailers…');
		assert.equal(row?.detail, '2 trailers are not added. See for which changes they were given.');
	});

	test('adds no trailer that its own message carried on from other changes', async () => {
		// The commits of v1 had a trailer that Bob gave to v0 of the list, which is not loaded.
		sentBefore({
			change: (text) => text.replace('\nBecause.\n', '\nBecause.\n\nTested-by: Erin <erin@forge.test>\n'),
		});
		await assert.rejects(prepare('Trailers…', undefined), isAbort);
		const rows = stubbed.offered.map(({ label, picked, detail }) => [label, picked, detail]);
		assert.deepEqual(rows.at(-2)?.[0], 'For unknown changes');
		assert.deepEqual(rows.at(-1), [
			'Tested-by: Erin <erin@forge.test>',
			false,
			'Unknown: no loaded message of this person has this trailer.',
		]);
		await prepare('Send Without a Cover Letter', 'Preview Patches');
		assert.doesNotMatch(await world.preview(), /Erin/);
	});

	test('takes no trailer of someone else’s message without a question', async () => {
		sentBefore();
		const bob = 'Bob Builder <bob@forge.test>';
		world.lists.world.mails.push(
			makeMail({
				id: 24,
				parentId: 12,
				threadId: 10,
				subject: 'Re: it',
				envelope: `From: Mallory <mallory@forge.test>\nSubject: Re: it\nMessage-ID: <m24@forge.test>\nIn-Reply-To: <m12@forge.test>\n\nReviewed-by: ${bob}\n`,
			}),
		);
		await assert.rejects(prepare('Trailers…', undefined), isAbort);
		assert.deepEqual(
			stubbed.offered.flatMap(({ label, picked, description }) =>
				label.startsWith('Reviewed-by') ? [[picked, description]] : [],
			),
			[
				[true, 'Write two'],
				[false, 'Write b'],
			],
		);
	});

	test('names trailers of commits for other changes in the preview and before sending', async () => {
		sentBefore();
		world.inClone('reset', '-q', '--hard', 'main~1');
		world.commit('b', 'b, differently\n', 'Write b\n\nTested-by: Dan <dan@forge.test>\nAcked-by: Fay <fay@forge.test>');
		await prepare('Send Without a Cover Letter', 'Preview Patches', 'Preview Anyway');
		const said = [
			'Check "Tested-by: Dan <dan@forge.test>" of patch 2. Given to patch 2 of v1, which has other changes.',
			'Check "Acked-by: Fay <fay@forge.test>" of patch 2. Unknown: no loaded message of this person has this trailer.',
		];
		assert.equal(stubbed.details.at(-1), said.join('\n'));
		stubbed.answers.push('Send');
		await world.run('forge.submit.send', world.previewUri());
		assert.equal(world.mailer.sent.length, 2);
		assert.ok(
			said.every((text) => stubbed.details.at(-1)?.includes(text)),
			stubbed.details.at(-1),
		);
	});

	test('takes no trailer for granted if the version before can’t be loaded', async () => {
		sentBefore();
		world.inClone('reset', '-q', '--hard', 'main~1');
		world.commit('b', 'b\n', 'Write b\n\nTested-by: Dan <dan@forge.test>');
		await prepare('Send Without a Cover Letter', 'Preview Patches');
		assert.deepEqual(stubbed.details, [], 'Dan gave it to these changes');
		await world.kept.write(String(world.kept.read()).replace('"earlier":7', '"earlier":99'));
		stubbed.answers.push('Preview Anyway');
		await world.run('forge.submit.preview');
		assert.match(
			stubbed.details.at(-1) ?? '',
			/^Check "Tested-by: Dan <dan@forge\.test>" of patch 2\. Unknown: no loaded message/m,
		);
	});

	test('fills the letter with the text, the files and the comparison, and refuses empty changes', async () => {
		sentBefore();
		world.inClone('reset', '-q', '--hard', 'main~1');
		world.commit('b', 'b, differently\n', 'Write b');
		await prepare('Write Cover Letter…');
		const letter = world.cover();
		assert.match(
			letter,
			/^Subject: All of it\n\nWhy\.\n\nChanges since v1:\n- \n\n {2}1\. Write two\n {2}2\. Write b\n\n/m,
		);
		assert.match(
			letter,
			/^ 2 files changed, 2 insertions\(\+\)\n\nRange-diff against v1:\n {2}1: {2}-+ = 1: {2}-+ Write two\n/m,
		);
		assert.match(letter, /^ {2}2: {2}-+ < -: {2}-+ Write b\n {2}-: {2}-+ > 2: {2}-+ Write b$/m);
		const empty = 'The cover letter has nothing below "Changes since v1:". Write the changes, or delete the line.';
		await world.run('forge.submit.send', letterOf());
		assert.equal(stubbed.shown.at(-1), `Nothing was sent. ${empty}`);
		await world.write((text) => text.replace('v1:\n- \n', 'v1:\n- Write b differently.\n'));
		stubbed.answers.push('Send');
		await world.run('forge.submit.send', letterOf());
		assert.equal(world.mailer.sent.length, 3);
	});

	/** Lists, boxes and questions so far, with both commands; typing a text is no gesture. */
	const gestures = (): number => stubbed.asked.length + stubbed.details.length + 2;

	test('takes 4 gestures for a first series, 10 before, with and without a letter', async () => {
		await prepare('Write Cover Letter…');
		await world.write((text) => text.replace('Subject: \n', 'Subject: Both\n\nFor a reason.'));
		stubbed.answers.push('Send');
		await world.run('forge.submit.send', letterOf());
		assert.deepEqual([world.mailer.sent.length, gestures()], [3, 4]);
		resetStub();
		world.inClone('update-ref', 'refs/remotes/origin/main', 'main~1');
		await prepare('Preview Patches');
		stubbed.answers.push('Send');
		await world.run('forge.submit.send', world.previewUri());
		assert.deepEqual([world.mailer.sent.length, gestures()], [4, 4]);
	});

	test('takes 4 gestures from the commits to a second version, 9 before', async () => {
		sentBefore();
		await prepare('Write Cover Letter…');
		await world.write((text) => text.replace('v1:\n- \n', 'v1:\n- Write b differently.\n'));
		stubbed.answers.push('Send');
		await world.run('forge.submit.send', letterOf());
		assert.deepEqual([world.mailer.sent.length, gestures()], [3, 4]);
	});

	test('sends a test to the sender alone, which is no sending', async () => {
		await prepare('Send Without a Cover Letter', 'Cc…', 'bob@forge.test', 'Preview Patches', 'Preview Anyway');
		stubbed.answers.push('Send to Myself Only', 'Send Test');
		await assert.rejects(world.run('forge.submit.send', world.previewUri()), isAbort);
		assert.match(stubbed.shown.join('\n'), /^Test: send 2 messages to yourself only\?$/m);
		assert.match(stubbed.details.at(-1) ?? '', /This is a test\. The list and the people in Cc get nothing/);
		assert.equal(
			stubbed.shown.at(-1),
			'Test: sent 2 messages to Alice Archer <alice@forge.test>. The patches stay prepared.',
		);
		const me = 'Alice Archer <alice@forge.test>';
		assert.deepEqual(
			world.mailer.sent.map(({ to, cc }) => [to, cc]),
			[
				[[me], []],
				[[me], []],
			],
		);
		assert.deepEqual(world.told, []);
		const idsOf = (text: string): readonly string[] => text.match(/<forge-desk-[^>]*>/g) ?? [];
		const real = idsOf(await world.preview());
		const tested = world.mailer.sent.flatMap(({ source }) => idsOf(source));
		assert.equal(tested.length, 4);
		assert.equal(new Set(tested).size, 2, 'the second message refers to the first one');
		assert.deepEqual(
			tested.filter((id) => real.includes(id)),
			[],
		);
		assert.match(await world.preview(), /2 messages, not sent$/m);
		stubbed.answers.push('Send');
		await world.run('forge.submit.send', world.previewUri());
		assert.deepEqual(
			world.mailer.sent.slice(2).map(({ to }) => to),
			[[posting], [posting]],
		);
	});

	test('gives each message a second of its own', async () => {
		await prepare('Send Without a Cover Letter', 'Preview Patches');
		const seconds: number[] = [];
		const { send } = world.mailer;
		Object.assign(world.mailer, {
			send: (...args: Parameters<typeof send>) => {
				seconds.push(Math.floor(world.clock.nowMs() / 1000));
				return send(...args);
			},
		});
		stubbed.answers.push('Send');
		await world.run('forge.submit.send', world.previewUri());
		const [first = 0, second = 0] = seconds;
		assert.equal(second - first, 1);
	});

	test('sends a branch that merged its upstream, and a branch with an empty commit', async () => {
		world.inClone('checkout', '-q', '-b', 'theirs', world.base);
		const theirs = world.commit('t', 't\n', 'Theirs');
		world.inClone('update-ref', 'refs/remotes/origin/main', theirs);
		world.inClone('checkout', '-q', 'main');
		world.inClone('merge', '-q', '--no-edit', '-m', 'Merge theirs', 'theirs');
		world.inClone('commit', '-q', '--allow-empty', '-m', 'Nothing');
		world.fake.head = { ...world.fake.head, commit: world.inClone('rev-parse', 'HEAD') };
		await prepare('Send Without a Cover Letter', 'Preview Patches', 'Preview Anyway');
		assert.equal(
			stubbed.details.at(-1),
			'"Merge theirs" is a merge, which is left out.\n"Nothing" changes nothing and is left out.',
		);
		stubbed.answers.push('Send');
		await world.run('forge.submit.send', world.previewUri());
		assert.deepEqual(
			world.mailer.sent.map(({ source }) => /^Subject: (.*)$/m.exec(source)?.[1]),
			['[PATCH 1/2] Write two', '[PATCH 2/2] Write b'],
		);
	});

	test('says that a merge has changes of its own, or that git can’t apply a patch', async () => {
		world.inClone('checkout', '-q', '-b', 'theirs', world.base);
		const theirs = world.commit('t', 't\n', 'Theirs');
		world.inClone('update-ref', 'refs/remotes/origin/main', theirs);
		world.inClone('checkout', '-q', 'main');
		world.inClone('merge', '-q', '--no-commit', 'theirs');
		world.commit('m', 'of the merge\n', 'Merge theirs');
		await assert.rejects(prepare('Send Without a Cover Letter', 'Preview Patches', undefined), isAbort);
		assert.match(
			stubbed.details.at(-1) ?? '',
			/^The patches lead to other files than your branch: a merge has changes/,
		);
		world.inClone('reset', '-q', '--hard', 'main~1');
		world.commit('c', 'c\n', 'Write c\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b');
		await assert.rejects(prepare('Send Without a Cover Letter', 'Preview Patches', undefined), isAbort);
		assert.match(stubbed.details.at(-1) ?? '', /^Git can't apply "\[PATCH 3\/3\] Write c"[^]* It stops at c\.$/);
	});
});
