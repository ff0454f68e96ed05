import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import { eventually } from '../../../../support/eventually.ts';
import { importCommits } from '../../../../support/importCommits.ts';
import { makeMail, makePatchset } from '../../../../support/makeMail.ts';
import { testInRest } from '../../../../support/parts.ts';
import { posting, submitWorld, type SubmitWorld } from '../support/submitWorld.ts';
import { resetStub, stubbed, stubbedTabs, TabInputText, Uri } from '../../../../support/vscodeValues.ts';

const sinceMain = '2 commits since origin/main';
const noCover = 'No Cover Letter';
const withCover = 'Write Cover Letter…';

suite('sending commits as patches', function () {
	this.timeout(60_000);
	let world: SubmitWorld;

	setup(() => {
		resetStub();
		world = submitWorld();
	});
	teardown(() => world.remove());

	/** Changes rows of the list of "Send Patches…", then accepts it with its first row. */
	const prepare = async (...answers: readonly (string | undefined)[]): Promise<void> => {
		const isTag = (answer: string | undefined): boolean => answer?.startsWith('PATCH') === true;
		const isVersion = (answer: string | undefined): boolean => /^(?:Version \d|New Series)/.test(answer ?? '');
		const place = answers.findIndex((answer) => isTag(answer) || isVersion(answer));
		const commits = (place === -1 ? answers : answers.slice(0, place)).filter((answer) => answer !== sinceMain);
		const [cover] = answers.filter((answer) => answer === noCover || answer === withCover);
		const rest = answers.slice(cover === undefined ? answers.length : answers.indexOf(cover) + 1);
		stubbed.answers.push(
			...(commits.length === 0 ? [] : ['Commits…', ...commits]),
			...answers.filter(isVersion).flatMap((version) => ['Version…', version]),
			...answers.filter(isTag).flatMap((tag) => ['Prefix…', tag]),
			...(cover === noCover && isLetterUsual(commits) ? ['Send Without a Cover Letter'] : []),
			...(cover === withCover && !isLetterUsual(commits) ? ['Send With a Cover Letter'] : []),
			...(cover === undefined ? [] : [cover === withCover ? 'Write Cover Letter…' : 'Preview Patches']),
			...(cover === noCover && isUnpublished(commits) ? ['Preview Anyway'] : []),
			...rest,
		);
		await world.run('forge.submit.prepare');
	};
	/** The question names the base that no remote branch has. */
	const isUnpublished = (commits: readonly (string | undefined)[]): boolean =>
		commits.at(-1) === 'Write b' && commits.length === 2;
	/** A series of several patches has one. */
	const isLetterUsual = (commits: readonly (string | undefined)[]): boolean =>
		commits.length !== 2 && commits[0]?.startsWith('1 commit') !== true;
	const send = async (...answers: readonly (string | undefined)[]): Promise<void> => {
		stubbed.answers.push(...answers);
		await world.run('forge.submit.send', world.previewUri());
	};
	const ids = (): readonly string[] =>
		world.mailer.sent.map(({ source }) => /^Message-ID: (.*)$/m.exec(source)?.[1] ?? '');
	const own = (changes: Parameters<typeof makePatchset>[0]) =>
		makePatchset({ submitter: 'Alice Archer <alice@forge.test>', subject: 'Write two', prefix: 'quill', ...changes });

	test('previews the messages that git sends: numbered, with the base commit, in one thread', async () => {
		await prepare(sinceMain, 'PATCH quill', noCover);
		assert.deepEqual(stubbed.prefilled, ['PATCH']);
		assert.equal(await world.previewLanguage(), 'forge-mail');
		const shown = await world.preview();
		for (const line of [
			'[PATCH quill] Write two: 2 messages, not sent',
			'From: Alice Archer <alice@forge.test>',
			`To: ${posting}`,
			'Subject: [PATCH quill 1/2] Write two',
			'Subject: [PATCH quill 2/2] Write b',
			'Because.',
			'+two é',
			`base-commit: ${world.base}`,
			'---------- Message 2 of 2 ----------',
		]) {
			assert.ok(shown.split('\n').includes(line), `${line}\n${shown}`);
		}
		assert.doesNotMatch(shown, /^In-Reply-To: .*\n[^]*Message 2 of 2/m);
		const other = { label: 'other', input: new TabInputText(Uri.file('/a')) };
		const shownUri = world.previewUri();
		assert.ok(shownUri);
		stubbedTabs.push({ label: 'preview', input: new TabInputText(shownUri) }, other);
		await send('Send');
		assert.deepEqual(stubbedTabs, [other], 'the preview would stand there as deleted');
		const [first, second] = world.mailer.sent;
		assert.deepEqual([first?.to, first?.cc, world.mailer.sent.length], [[posting], [], 2]);
		assert.doesNotMatch(first?.source ?? '', /^In-Reply-To/m);
		assert.ok(second?.source.includes(`\nIn-Reply-To: ${ids()[0] ?? ''}\n`));
		assert.match(stubbed.details.join(), /From: Alice Archer <alice@forge\.test>[^]*\[PATCH quill 1\/2\] Write two/);
		assert.equal(stubbed.shown.at(-1), `Sent 2 messages to ${posting}.`);
		assert.deepEqual(world.told, [`~alice/devel ${ids()[1]}`]);
		await assert.rejects(world.preview(), Error, 'what was sent is not prepared any more');
	});

	testInRest('offers the current commits even if the editor’s state is stale', async () => {
		const seen = world.fake.head;
		world.commit('c', 'c\n', 'Write c');
		Object.assign(world.fake, { head: seen, unseenHead: world.fake.head });
		await prepare('3 commits since origin/main', 'PATCH quill', noCover);
		assert.match(await world.preview(), /^Subject: \[PATCH quill 3\/3\] Write c$/m);
	});

	test('offers the commits since the local upstream branch, even with an oddly named remote', async () => {
		world.inClone('branch', 'trunk', 'main~1');
		world.fake.head = { ...world.fake.head, name: 'main', upstream: { remote: '.', name: 'trunk' } };
		world.fake.remotes.push({ name: '.odd' });
		await prepare('1 commit since trunk', 'PATCH quill', noCover, 'Preview Anyway');
		assert.deepEqual(stubbed.shown, ['Check this before you send the patches.']);
		assert.match(await world.preview(), /^Subject: \[PATCH quill\] Write b$/m);
	});

	test('suggests the next version of the user’s earlier series, and the list’s prefix', async () => {
		const others = [3, 4, 5].map((id) => own({ id, subject: `Other ${id}`, submitter: 'Bob <bob@forge.test>' }));
		world.lists.world.patchsets.set('~alice/devel', [own({ id: 2, version: 2 }), own({ id: 1 }), ...others]);
		await prepare(sinceMain, 'Version 3 of "Write two"', 'PATCH quill v3', noCover);
		assert.deepEqual(stubbed.prefilled, ['PATCH quill v3']);
		assert.match(await world.preview(), /^Subject: \[PATCH quill v3 1\/2\] Write two$/m);
		stubbed.prefilled.length = 0;
		await prepare(sinceMain, 'New Series', 'PATCH quill', noCover);
		assert.deepEqual(stubbed.prefilled, ['PATCH quill']);
	});

	testInRest('finds an earlier version a few pages further back', async () => {
		const others = (count: number) =>
			Array.from({ length: count }, (_, at) =>
				own({ id: 900 - at, subject: `Other ${at}`, submitter: 'Bob <bob@forge.test>' }),
			);
		const asked = (): readonly string[] => world.lists.world.calls.filter((call) => call.startsWith('patchsets'));
		world.lists.world.pageSize = 10;
		world.lists.world.patchsets.set('~alice/devel', [...others(35), own({ id: 2 }), ...others(20)]);
		await prepare(sinceMain, 'Version 2 of "Write two"', 'PATCH quill v2', noCover);
		assert.deepEqual(
			asked()
				.map((call) => call.split(' ').at(-1))
				.slice(0, 5),
			['0', '0', '10', '20', '30'],
		);
	});

	testInRest('limits the search for an earlier version to a few pages', async () => {
		const others = Array.from({ length: 90 }, (_, at) =>
			own({ id: 900 - at, subject: `Other ${at}`, submitter: 'Bob <bob@forge.test>' }),
		);
		world.lists.world.pageSize = 10;
		world.lists.world.patchsets.set('~alice/devel', [...others, own({ id: 2 })]);
		await prepare(sinceMain, 'PATCH quill', noCover);
		assert.equal(world.lists.world.calls.filter((call) => call.startsWith('patchsets')).length, 6);
	});

	test('uses format.subjectPrefix if it is set', async () => {
		world.inClone('config', 'format.subjectPrefix', 'PATCH lantern');
		await prepare(sinceMain, 'PATCH lantern', noCover);
		assert.deepEqual(stubbed.prefilled, ['PATCH lantern']);
	});

	test('sends a single commit as an unnumbered patch', async () => {
		await prepare('Choose First and Last Commit…', 'Write b', 'PATCH', noCover);
		assert.match(await world.preview(), /^Subject: \[PATCH\] Write b$/m);
	});

	testInRest('can leave out the newest commits', async () => {
		const left = world.commit('c', 'c\n', 'Write c');
		await prepare('Choose First and Last Commit…', 'Write two', 'Write b', 'PATCH', noCover);
		assert.deepEqual(
			stubbed.asked.filter((title) => title.startsWith('Choose')),
			['Choose the commits to send', 'Choose the first commit to send', 'Choose the last commit to send'],
		);
		const shown = await world.preview();
		assert.deepEqual(shown.match(/^Subject: .*$/gm), [
			'Subject: [PATCH 1/2] Write two',
			'Subject: [PATCH 2/2] Write b',
		]);
		assert.match(shown, new RegExp(`^base-commit: ${world.base}$`, 'm'));
		assert.ok(!String(world.kept.read()).includes(left));
	});

	testInRest('lists the newest commit first as the last one, and only descendants of the first', async () => {
		world.inClone('checkout', '-q', '-b', 'side', 'main~1');
		world.commit('s', 's\n', 'Write s');
		world.inClone('checkout', '-q', 'main');
		world.inClone('merge', '-q', '--no-edit', '-m', 'Merge side', 'side');
		const tip = world.inClone('rev-parse', 'main');
		world.fake.head = { ...world.fake.head, commit: tip };
		await assert.rejects(prepare('Choose First and Last Commit…', 'Write s', undefined), isAbort);
		assert.deepEqual(
			stubbed.offered.map(({ label }) => label),
			['Merge side', 'Write s'],
		);
	});

	testInRest('says that older commits are not listed', async () => {
		const commits = Array.from({ length: 48 }, (_, at) => ({
			branch: 'main',
			from: 'main',
			message: `More ${at}`,
			files: {},
		}));
		importCommits(world, world.root, commits);
		world.fake.head = { ...world.fake.head, commit: world.inClone('rev-parse', 'main') };
		await assert.rejects(prepare('Choose First and Last Commit…', undefined), isAbort);
		assert.equal(stubbed.hints.at(-1), 'Older commits are not listed.');
	});

	test('warns about ways of sending that may wrap lines of a patch', async () => {
		await prepare('Choose First and Last Commit…', 'Write b', 'PATCH', noCover);
		await assert.rejects(send('Other Ways…', undefined), isAbort);
		const damage = 'Email programs may wrap lines or change tabs. The patch does not apply then.';
		assert.deepEqual(
			stubbed.offered.map(({ label, detail }) => [label, detail]),
			[
				['Open in Email Program', damage],
				['Save as .eml File…', undefined],
				['Copy Text', damage],
			],
		);
	});

	testInRest('keeps the cover letter of a dropped series as a draft, and explains the next step', async () => {
		await prepare(sinceMain, 'PATCH quill', withCover);
		await world.write((text) => text.replace('Subject: \n', 'Subject: Both\n'));
		const [about] = world.documents.opened;
		assert.ok(about?.kind === 'mail');
		const one = String(world.kept.read()).slice(1, -1);
		const others = Array.from({ length: 19 }, (_, at) => one.replace(/"id":"\w+"/, `"id":"other${at}"`));
		await world.kept.write(`[${[...others, one].join()}]`);
		await prepare('Choose First and Last Commit…', 'Write b', 'PATCH', noCover);
		assert.match(world.cover(), /^Subject: Both$/m);
		const { connectionKey, name } = about;
		const series = { kind: 'series', connectionKey, id: name.replace('series-', '') };
		await assert.rejects(world.run('forge.submit.preview', series), isAbort);
		assert.equal(stubbed.shown.at(-1), 'These patches are no longer prepared. Use Send Patches… again.');
	});

	for (const [what, ...outcomes] of [
		['was sent', { kind: 'sent' }, { kind: 'notSent', trouble: 'refused', complaint: '550' }],
		['may have been sent', { kind: 'unsure', complaint: 'Connection closed' }],
	] as const) {
		const testOutcome = what === 'was sent' ? test : testInRest;
		testOutcome(`keeps a series prepared if one of its messages ${what}, despite many later series`, async () => {
			await prepare(sinceMain, 'PATCH', noCover);
			const waiting = String(world.kept.read()).slice(1, -1);
			world.mailer.outcomes.push(...outcomes);
			await send('Send');
			const begun = String(world.kept.read()).slice(1, -1);
			const others = Array.from({ length: 19 }, (_, at) => waiting.replace(/"id":"\w+"/, `"id":"other${at}"`));
			await world.kept.write(`[${[...others, waiting.replace(/"id":"\w+"/, '"id":"last"'), begun].join()}]`);
			await prepare('Choose First and Last Commit…', 'Write b', 'PATCH', noCover);
			const kept = String(world.kept.read());
			assert.deepEqual([kept.endsWith(`,${begun}]`), kept.includes('"id":"last"')], [true, false]);
		});
	}

	test('reports the sent messages after a failure, and retries the rest with the same ids', async () => {
		await prepare(sinceMain, 'PATCH', noCover);
		world.mailer.outcomes.push(
			{ kind: 'sent' },
			{ kind: 'notSent', trouble: 'refused', complaint: 'Error\n550 5.1.1 No such list here' },
		);
		await send('Send');
		assert.match(
			stubbed.shown.at(-1) ?? '',
			/^1 of 2 messages sent: "\[PATCH 1\/2\] Write two"\. .*No such list here The others stay prepared\.$/,
		);
		assert.match(await world.preview(), /^---------- Message 1 of 2, sent ----------$/m);
		await send('Send');
		assert.match(stubbed.details.at(-1) ?? '', /\n\nSent before: 1 message\.$/);
		assert.equal(world.mailer.sent.length, 3);
		assert.deepEqual(ids()[2], ids()[1]);
		assert.ok(world.mailer.sent[2]?.source.includes(`\nIn-Reply-To: ${ids()[0] ?? ''}\n`));
	});

	test('asks again after an unknown outcome', async () => {
		await prepare(sinceMain, 'PATCH', noCover);
		world.mailer.outcomes.push({ kind: 'unsure', complaint: 'Connection closed' });
		await send('Send');
		await assert.rejects(send(undefined), isAbort);
		assert.match(stubbed.shown.at(-1) ?? '', /may have been sent already/);
		// The confirmation covers one attempt.
		await assert.rejects(send('Send Again', undefined), isAbort);
		await assert.rejects(send(undefined), isAbort);
		assert.match(stubbed.shown.at(-1) ?? '', /may have been sent already/);
		world.mailer.outcomes.push({ kind: 'notSent', trouble: 'unreachable', complaint: '' });
		await send('Send Again', 'Send');
		// A failed attempt says nothing about the earlier one.
		await assert.rejects(send(undefined), isAbort);
		await send('Send Again', 'Send');
		assert.equal(world.mailer.sent.length, 4);
	});

	test('sends nothing twice if another window sent the patches during the question', async () => {
		await prepare(sinceMain, 'PATCH', noCover);
		const answer = Promise.withResolvers<string>();
		stubbed.laterAnswers.push(answer.promise);
		const asked = send();
		await eventually(async () => stubbed.shown.at(-1), 'Send 2 messages?');
		await send('Send');
		assert.equal(world.mailer.sent.length, 2);
		answer.resolve('Send');
		await assert.rejects(asked, isAbort);
		assert.equal(world.mailer.sent.length, 2);
		assert.match(stubbed.shown.join(), /This was changed or sent since it was prepared/);
	});

	testInRest('sends nothing twice if another window sent the patches while the choice was open', async () => {
		await prepare(sinceMain, 'PATCH', noCover);
		await prepare('Choose First and Last Commit…', 'Write b', 'PATCH', noCover);
		stubbed.answers.push('[PATCH] Write b', 'Send');
		const asked = world.run('forge.submit.send');
		assert.equal(stubbed.asked.at(-1), 'Choose the prepared patches');
		// Another window has sent them all before the choice.
		await world.kept.write('[]');
		await assert.rejects(asked, isAbort);
		assert.equal(stubbed.shown.at(-1), 'These patches are no longer prepared. Use Send Patches… again.');
		assert.deepEqual(world.mailer.sent, []);
	});

	testInRest('keeps partly sent patches despite an old "Discard"', async () => {
		await prepare(sinceMain, 'PATCH', noCover);
		const answer = Promise.withResolvers<string>();
		stubbed.laterAnswers.push(Promise.resolve('Other Ways…'), answer.promise);
		await send('Copy Text');
		await eventually(async () => stubbed.shown.at(-1)?.startsWith('Copied 2 messages.'), true);
		world.mailer.outcomes.push({ kind: 'sent' }, { kind: 'notSent', trouble: 'refused', complaint: '' });
		await send('Send');
		answer.resolve('Discard Patches');
		await eventually(
			async () => stubbed.shown.at(-1),
			'The patches were changed or sent since, so they stay as they are.',
		);
		assert.match(await world.preview(), /Message 1 of 2, sent/);
	});

	test('opens the patchset after the forge shows it', async () => {
		await prepare(sinceMain, 'PATCH', noCover);
		await send('Send', 'Open Patchset');
		await eventually(
			async () => stubbed.shown.at(-1),
			'The forge does not show the patchset "[PATCH] Write two" yet. Try again in a minute.',
		);
		await prepare(sinceMain, 'PATCH', noCover);
		world.lists.world.patchsets.set('~alice/devel', [own({ id: 9, prefix: undefined })]);
		await send('Send', 'Open Patchset');
		await eventually(async () => stubbed.executed, ['forge.patchsets.open']);
	});

	test('sends nothing without a confirmation or in an untrusted window', async () => {
		await prepare(sinceMain, 'PATCH', noCover);
		await assert.rejects(send(undefined), isAbort);
		await world.run('forge.submit.prepare', undefined, { isTrusted: false });
		assert.match(stubbed.shown.at(-1) ?? '', /Restricted Mode/);
		assert.equal(world.mailer.sent.length, 0);
	});

	test('lists all problems in one question, and continues on request', async () => {
		world.commit('c', 'blank \n', 'Write c');
		world.fake.changes.push({});
		await assert.rejects(prepare('3 commits since origin/main', 'PATCH', noCover, undefined), isAbort);
		assert.equal(
			stubbed.details.at(-1),
			'1 file has uncommitted changes, which are not sent.\n"Write c" adds trailing whitespace to 1 line of c.',
		);
		await prepare('3 commits since origin/main', 'PATCH', noCover, 'Preview Anyway');
		assert.match(await world.preview(), /^"Write c" adds trailing whitespace to 1 line of c\.$/m);
	});

	test('sends carriage returns as they are, and offers no way that loses them', async () => {
		world.commit('c', 'a line\r\n', 'Write c');
		await prepare('3 commits since origin/main', 'PATCH', noCover);
		assert.match(await world.preview(), /^\+a line$/m);
		await assert.rejects(send('Other Ways…', undefined), isAbort);
		assert.deepEqual(
			stubbed.offered.map(({ label }) => label),
			['Save as .eml Files…'],
		);
		await send('Send');
		assert.match(world.mailer.sent[2]?.source ?? '', /^\+a line=0D$/m);
	});

	testInRest('never replaces a dropped series by another prepared one', async () => {
		await prepare(sinceMain, 'PATCH', noCover);
		stubbed.documents.length = 0;
		const gone = { kind: 'series', connectionKey: 'sample-alice', id: 'gone' };
		await assert.rejects(world.run('forge.submit.preview', gone), isAbort);
		assert.equal(stubbed.shown.at(-1), 'These patches are no longer prepared. Use Send Patches… again.');
		assert.equal(world.previewUri(), undefined);
	});

	/** The previous version: one patch, also sent to people besides the list. */
	const sentBefore = (): void => {
		const envelope = [
			'From: Alice Archer <alice@forge.test>',
			`To: ${posting}, Bob Builder <bob@forge.test>`,
			'Cc: carol@forge.test, Alice Archer <alice@forge.test>',
			'Subject: [PATCH quill] Write two',
			'',
			'Because.\n---\ndiff --git a/a b/a\nindex 1111111..2222222 100644\n--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n one\n+two',
			'',
		].join('\n');
		const mail = makeMail({
			id: 9,
			messageId: '<m9@forge.test>',
			isPatch: true,
			subject: '[PATCH quill] Write two',
			envelope,
		});
		world.lists.world.mails.push(mail);
		world.lists.world.series.set(1, [mail]);
		world.lists.world.patchsets.set('~alice/devel', [own({ id: 1, messageId: '<m9@forge.test>' })]);
	};

	test('asks for more recipients, and suggests those of the previous version', async () => {
		sentBefore();
		const before = 'Bob Builder <bob@forge.test>, carol@forge.test';
		stubbed.answers.push('Cc…', 'nobody');
		await assert.rejects(world.run('forge.submit.prepare'), isAbort);
		assert.deepEqual(
			[stubbed.prefilled.at(-1), stubbed.shown.at(-1)],
			[before, 'Write email addresses with commas between them.'],
		);
		const unknown = 'dan@forge.test is in no message of the list and in no commit of the series. Check the address.';
		stubbed.answers.push('Cc…', `${before}, dan@forge.test`);
		await prepare(sinceMain, 'PATCH quill v2', noCover, 'Preview Anyway');
		assert.equal(stubbed.details.at(-1), unknown);
		assert.match(await world.preview(), /^Cc: Bob Builder <bob@forge\.test>, carol@forge\.test, dan@forge\.test$/m);
		await send('Send');
		assert.deepEqual(
			world.mailer.sent.map(({ to, cc }) => [to, cc]),
			Array.from({ length: 2 }, () => [
				[posting],
				['Bob Builder <bob@forge.test>', 'carol@forge.test', 'dan@forge.test'],
			]),
		);
	});

	testInRest('fills the Cc of a cover letter from the previous version', async () => {
		sentBefore();
		await prepare(sinceMain, 'Version 2 of "Write two"', 'PATCH quill v2', withCover);
		assert.match(world.cover(), /^Cc: Bob Builder <bob@forge\.test>, carol@forge\.test$/m);
	});

	test('starts the thread with a cover letter draft, and copies its recipients to each message', async () => {
		await prepare(sinceMain, 'PATCH quill', withCover);
		assert.equal(
			world.cover(),
			`To: ${posting}\nCc: \nSubject: \n\n\n\n  1. Write two\n  2. Write b\n\n a | 1 +\n b | 1 +\n 2 files changed, 2 insertions(+)\n`,
		);
		const [about] = world.documents.opened;
		const name = about?.kind === 'mail' ? about.name.replace('series-', '') : '';
		const subject = { kind: 'series', connectionKey: about?.connectionKey, id: name };
		await world.run('forge.submit.preview', subject);
		assert.match(stubbed.shown.at(-1) ?? '', /^Add a subject to the cover letter/);
		assert.equal(world.previewUri(), undefined, 'the letter is what is shown');
		await world.write((text) =>
			text.replace('Cc: ', 'Cc: Bob <bob@forge.test>').replace('Subject: \n', 'Subject: Both\n\nFor a reason.'),
		);
		stubbed.answers.push('Preview Anyway');
		await world.run('forge.submit.preview', subject);
		assert.match(await world.preview(), /^Subject: \[PATCH quill 0\/2\] Both$[^]*^For a reason\.$[^]*Message 3 of 3/m);
		await send('Send');
		assert.deepEqual(
			world.mailer.sent.map(({ cc }) => cc),
			Array.from({ length: 3 }, () => ['Bob <bob@forge.test>']),
		);
		assert.ok(about);
		assert.equal(world.documents.textOf(about), undefined, 'the draft went with it');
	});

	test('asks about a cover letter with an unquoted diff, in preview and sending', async () => {
		const diff = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+two\n';
		const named = 'The cover letter has a patch that is not quoted, and would count as one of the series.';
		await prepare(sinceMain, 'PATCH quill', withCover);
		const [about] = world.documents.opened;
		const name = about?.kind === 'mail' ? about.name.replace('series-', '') : '';
		const subject = { kind: 'series', connectionKey: about?.connectionKey, id: name };
		await world.write((text) => text.replace('Subject: \n', `Subject: Both\n\nTried before:\n\n${diff}`));
		stubbed.answers.push(undefined);
		await assert.rejects(world.run('forge.submit.preview', subject), isAbort);
		assert.deepEqual(
			[stubbed.shown.at(-1), stubbed.details.at(-1)],
			['Check this before you send the patches.', named],
		);
		stubbed.answers.push('Preview Anyway');
		await world.run('forge.submit.preview', subject);
		assert.ok((await world.preview()).split('\n').includes(named));
		await assert.rejects(send(undefined), isAbort);
		assert.equal(stubbed.shown.at(-1), 'Send a cover letter with a patch that is not quoted?');
		assert.equal(world.mailer.sent.length, 0);
		await send('Send Anyway', 'Send');
		assert.match(world.mailer.sent[0]?.source ?? '', /^\+two$/m);
		assert.equal(world.mailer.sent.length, 3);
	});

	testInRest('asks nothing about the cover letter after it was sent', async () => {
		await prepare(sinceMain, 'PATCH quill', withCover);
		const diff = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+two\n';
		const [about] = world.documents.opened;
		const name = about?.kind === 'mail' ? about.name.replace('series-', '') : '';
		const subject = { kind: 'series', connectionKey: about?.connectionKey, id: name };
		await world.write((text) => text.replace('Subject: \n', `Subject: Both\n\n${diff}`));
		stubbed.answers.push('Preview Anyway');
		await world.run('forge.submit.preview', subject);
		world.mailer.outcomes.push({ kind: 'sent' }, { kind: 'notSent', trouble: 'refused', complaint: '550' });
		await send('Send Anyway', 'Send');
		assert.equal(world.mailer.sent.length, 2);
		await send('Send');
		assert.match(stubbed.shown.at(-1) ?? '', /^Sent 3 messages/);
	});

	testInRest('wraps long lines of a cover letter only on request', async () => {
		await prepare(sinceMain, 'PATCH quill', withCover);
		const words = Array.from({ length: 30 }, (_, at) => `word${at}`).join(' ');
		await world.write((text) => text.replace('Subject: \n', `Subject: Both\n\n${words}`));
		stubbed.answers.push('Send As It Is', 'Other Ways…', 'Copy Text', undefined);
		await world.run('forge.submit.send');
		assert.ok(stubbed.copied.at(-1)?.includes(`\n${words}\n`));
		await send('Wrap Long Lines', 'Send');
		assert.match(world.mailer.sent[0]?.source ?? '', /\nword0 .{50,66}\nword/);
	});

	const second = '[PATCH quill 2/2] Write b';
	const edit = async (label: string): Promise<void> => {
		stubbed.answers.push(label);
		await world.run('forge.submit.editMail', world.previewUri());
	};

	test('sends an edited patch exactly as edited, in its place of the thread', async () => {
		await prepare(sinceMain, 'PATCH quill', noCover);
		await edit(second);
		assert.match(world.cover(), /^From: Alice Archer <alice@forge\.test>\nIn-Reply-To: <.*>\nTo: .*\nCc: \nSubject: /);
		const before = await world.preview();
		assert.doesNotMatch(before, /edited/, 'nobody changed it yet');
		await world.write((text) =>
			text
				.replace('Cc: \n', 'Cc: bob@forge.test\n')
				.replace(second, `${second} again`)
				.replace('\n---\n', '\nA line of its own.\n---\nA note.  \n'),
		);
		const shown = await world.preview();
		assert.match(shown, /^---------- Message 2 of 2, edited ----------$/m);
		await send('Send');
		const [first, sent] = world.mailer.sent;
		assert.deepEqual([first?.cc, sent?.cc], [[], ['bob@forge.test']]);
		for (const text of [
			`\nSubject: ${second} again\n`.slice(1),
			'\nA line of its own.\n---\nA note.  \n',
			`\nIn-Reply-To: ${ids()[0] ?? ''}\n`,
			'\n+b\n',
		]) {
			assert.ok(sent?.source.includes(text), `${text}\n${sent?.source ?? ''}`);
		}
		assert.ok(before.includes(`\nMessage-ID: ${ids()[1] ?? ''}\n`));
		assert.deepEqual(world.documents.opened, [], 'its draft went with it');
	});

	for (const [what, change, said] of [
		['another diff', (text: string) => text.replace('\n+b\n', '\n+c\n'), /Its diff has to stay as the commit has it\./],
		['a second diff', (text: string) => `${text}--- a/c\n+++ b/c\n@@ -1 +1 @@\n-c\n+d\n`, /Its diff has to stay/],
		['another place', (text: string) => text.replace('quill 2/2', 'quill 2/3'), /begin with "\[PATCH quill 2\/2\]"\./],
		[
			'another thread',
			(text: string) => text.replace('In-Reply-To: <', 'In-Reply-To: <x'),
			/must stay in one thread\./,
		],
	] as const) {
		const testEdit = what === 'another diff' ? test : testInRest;
		testEdit(`rejects a patch edited into ${what}, sends nothing and keeps the text`, async () => {
			await prepare(sinceMain, 'PATCH quill', noCover);
			await edit(second);
			await world.write(change);
			const text = world.cover();
			assert.match(await world.preview(), said);
			await send('Edit Message');
			assert.match(stubbed.shown.at(-1) ?? '', said);
			assert.deepEqual([world.mailer.sent, world.cover()], [[], text]);
		});
	}

	testInRest('opens the patchset by the edited subject of its first patch', async () => {
		await prepare(sinceMain, 'PATCH', noCover);
		await edit('[PATCH 1/2] Write two');
		await world.write((text) => text.replace('Write two', 'Write three'));
		world.lists.world.patchsets.set('~alice/devel', [own({ id: 9, prefix: undefined, subject: 'Write three' })]);
		await send('Send', 'Open Patchset');
		await eventually(async () => stubbed.executed, ['forge.patchsets.open']);
	});

	testInRest('keeps the first patch of a series a non-reply', async () => {
		await prepare(sinceMain, 'PATCH quill', noCover);
		await edit('[PATCH quill 1/2] Write two');
		await world.write((text) => text.replace('To: ', 'In-Reply-To: <other@forge.test>\nTo: '));
		assert.match(await world.preview(), /Remove the line "In-Reply-To:"\./);
	});

	testInRest('keeps the cover letter’s recipients on an opened but unchanged patch', async () => {
		await prepare(sinceMain, 'PATCH quill', withCover);
		await world.write((text) => text.replace('Subject: \n', 'Subject: Both\n\nFor a reason.'));
		await world.run('forge.submit.preview');
		await edit(second);
		await world.write((text) => text.replace('Cc: ', 'Cc: bob@forge.test'));
		assert.equal((await world.preview()).split('Cc: bob@forge.test\n').length, 4);
		await edit('[PATCH quill 0/2] Both');
		assert.equal(
			world.documents.opened.at(-1),
			world.documents.opened.find((_, at) => at === 2),
		);
		assert.deepEqual(world.documents.opened[2], world.documents.opened[0], 'the letter itself');
	});

	/** Runs `meanwhile` while the list of messages is open, and then chooses one. */
	const editAfter = async (label: string, meanwhile: () => Promise<void>): Promise<void> => {
		const pick = Promise.withResolvers<string>();
		stubbed.laterPicks.push(pick.promise);
		stubbed.asked.length = 0;
		const asked = world.run('forge.submit.editMail', world.previewUri());
		await eventually(async () => stubbed.asked.at(-1), 'Choose a message to edit');
		await meanwhile();
		pick.resolve(label);
		await asked;
	};

	testInRest('keeps text typed into a patch while another list is open', async () => {
		await prepare(sinceMain, 'PATCH quill', noCover);
		await edit(second);
		await editAfter(second, () => world.write((text) => text.replace(second, `${second} again`)));
		assert.ok(world.cover().includes(`\nSubject: ${second} again\n`), world.cover());
		assert.match(await world.preview(), /^Subject: .* Write b again$/m);
	});

	testInRest('doesn’t open a patch that was sent during the choice', async () => {
		await prepare(sinceMain, 'PATCH quill', noCover);
		await editAfter(second, () =>
			world.kept.write(String(world.kept.read()).replaceAll('"kind":"waiting"', '"kind":"sent"')),
		);
		assert.deepEqual(world.documents.opened, []);
		assert.match(stubbed.shown.at(-1) ?? '', /^This message was sent since, or may have been/);
		assert.match(await world.preview(), /^---------- Message 2 of 2, sent ----------$/m);
	});
});
