import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { line, posting, situation, written } from '../support/reviewSituation.ts';
import { eventually } from '../../../../support/eventually.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';
import { stubbedDocuments } from '../../../../support/stubbedDocuments.ts';

const { reviewSubject } = await import('../../../../../src/store/drafts/reviewDrafts.ts');

const answered = '<m21@forge.test>';
const part = { kind: 'mail', messageId: answered } as const;

/** Two drafts on two patches, and the message of the first one open for editing. */
async function editing() {
	const made = await written();
	stubbed.answers.push('Re: [PATCH lantern v2 1/4] fold: find in a tree');
	await made.run('forge.review.editMail');
	const about = reviewSubject(made.of, part);
	const text = (): string => made.documents.textOf(about) ?? '';
	return { ...made, about, text, edit: (change: (before: string) => string) => made.write(part, change(text())) };
}

suite('an edited message of a review', () => {
	setup(resetStub);

	test('opens as a document with headers, an empty line and the text', async () => {
		const { text, documents, about } = await editing();
		assert.deepEqual(documents.opened, [about]);
		assert.deepEqual(text().split('\n').slice(0, 6), [
			'From: Alice Archer <alice@forge.test>',
			`In-Reply-To: ${answered}`,
			`To: ${posting}`,
			'Cc: Bob Builder <bob@forge.test>, Dora Reviewer <dora@forge.test>',
			'Subject: Re: [PATCH lantern v2 1/4] fold: find in a tree',
			'',
		]);
		assert.match(text(), /\n> \+\tstruct fold \*found = tree_find\(line\);\n[^]*\nMay be NULL\.\n$/);
	});

	test('is sent exactly as edited, even from a later window, and leaves no draft', async () => {
		const { edit, preview, runElsewhere, mailer, drafts } = await editing();
		const long = `> -\t${'old_name(x); '.repeat(12)}`;
		await edit((before) =>
			before
				.replace('Cc: Bob Builder <bob@forge.test>, ', 'Cc: ')
				.replace('Subject: Re: [PATCH', 'Subject: Re: (was: find) [PATCH')
				.replace('May be NULL.', `May be NULL:\n${long}\n  trailing  \n-- \nAlice`),
		);
		const shown = await preview();
		assert.ok(shown.includes('---------- Message 1 of 2, edited ----------'), shown);
		assert.ok(shown.includes(`May be NULL:\n${long}\n  trailing  \n-- \nAlice\n`), shown);
		stubbed.answers.push('Send');
		await runElsewhere('forge.review.send');
		const [first, second] = mailer.sent;
		assert.deepEqual([first?.to, first?.cc], [[posting], ['Dora Reviewer <dora@forge.test>']]);
		assert.match(first?.source ?? '', /^Subject: Re: \(was: find\) \[PATCH lantern v2 1\/4\] fold: find in a tree$/m);
		assert.match(first?.source ?? '', /^In-Reply-To: <m21@forge\.test>$/m);
		assert.ok(first?.source.endsWith(`May be NULL:\n${long}\n  trailing  \n-- \nAlice\n`), first?.source);
		assert.match(second?.source ?? '', /\n\nFine\.\n$/);
		assert.deepEqual(drafts.all(), []);
	});

	test('has the same text in each way of sending', async () => {
		const { edit, run, mailer } = await editing();
		mailer.isAllowed = false;
		await edit((before) => before.replace('May be NULL.', 'Surely NULL.'));
		stubbed.answers.push('Copy Text', undefined);
		await run('forge.review.send');
		assert.match(stubbed.copied.join(), /\nSurely NULL\.\n[^]*Fine\./);
		assert.doesNotMatch(stubbed.copied.join(), /May be NULL/);
	});

	test('follows its comments until the user edits it, and its document closes after sending', async () => {
		const { write, run, mailer, documents } = await editing();
		await write({ kind: 'comment', id: 'a', place: line }, 'Is NULL.');
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.match(mailer.sent[0]?.source ?? '', /\n\nIs NULL\.\n$/);
		assert.deepEqual(documents.opened, []);
	});

	test('asks for the text after its comments changed; the user’s text leaves the newer comment as a draft', async () => {
		const { edit, write, run, preview, mailer, comments } = await editing();
		await edit((before) => before.replace('May be NULL.', 'Surely NULL.'));
		await write({ kind: 'comment', id: 'c', place: { kind: 'mail', messageId: answered } }, 'And a test, please.');
		assert.match(await preview(), /The comments or recipients of message 1 changed since it was edited\./);
		stubbed.answers.push('Keep My Text', 'Send');
		await run('forge.review.send');
		assert.match(mailer.sent[0]?.source ?? '', /Surely NULL\.\n$/);
		assert.doesNotMatch(mailer.sent[0]?.source ?? '', /And a test/);
		assert.deepEqual(comments(), ['And a test, please.']);
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.match(mailer.sent[2]?.source ?? '', /\n\nAnd a test, please\.\n$/);
		assert.deepEqual(comments(), []);
	});

	test('is regenerated on request after its comments changed, and its text stays in a document', async () => {
		const { edit, write, run, mailer, comments } = await editing();
		await edit((before) => before.replace('May be NULL.', 'Surely NULL.'));
		await write({ kind: 'comment', id: 'a', place: line }, 'Is NULL.');
		stubbed.answers.push('Make It New', 'Send');
		await run('forge.review.send');
		assert.match(mailer.sent[0]?.source ?? '', /\n\nIs NULL\.\n$/);
		assert.deepEqual(comments(), []);
		assert.match(stubbedDocuments.open.at(-1)?.getText() ?? '', /Surely NULL\./);
		assert.match(stubbed.shown.join(), /Your text is in an unsaved document/);
	});

	test('is not sent while the question about changed comments is open', async () => {
		const { edit, write, run, mailer, text } = await editing();
		await edit((before) => before.replace('May be NULL.', 'Surely NULL.'));
		await write({ kind: 'comment', id: 'a', place: line }, 'Is NULL.');
		stubbed.answers.push('Compare');
		await assert.rejects(run('forge.review.send'), { name: 'AbortError' });
		assert.equal(mailer.sent.length, 0);
		assert.match(text(), /Surely NULL\./);
	});

	test('keeps an edit that starts while the review is prepared', async () => {
		const { about, text, documents, drafts, mailer, run } = await editing();
		const { identity } = mailer;
		const changed = text().replace('May be NULL.', 'Surely NULL.');
		for (const isKept of [false, true]) {
			Object.assign(mailer, {
				identity: async (...args: Parameters<typeof identity>) => {
					documents.type(about, changed);
					await (isKept ? drafts.keep(about, { text: changed, atMs: 2 }) : undefined);
					return identity(...args);
				},
			});
			stubbed.answers.push(undefined);
			await assert.rejects(run('forge.review.send'), { name: 'AbortError' });
			assert.deepEqual([text(), documents.opened, mailer.sent.length], [changed, [about], 0]);
		}
		Object.assign(mailer, { identity });
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.match(mailer.sent[0]?.source ?? '', /Surely NULL\./);
	});

	test('includes text typed during the preparation, in each way of sending', async () => {
		const { about, text, documents, mailer, run } = await editing();
		const { identity } = mailer;
		const typing = (...texts: string[]): void => {
			Object.assign(mailer, {
				identity: async (...args: Parameters<typeof identity>) => {
					documents.type(about, texts.shift() ?? text());
					return identity(...args);
				},
			});
		};
		const before = text();
		const changed = (said: string): string => before.replace('May be NULL.', said);
		typing(changed('Surely NULL.'), changed('Surely NULL,'), changed('Surely NULL, as I think.'));
		stubbed.answers.push('Other Ways…', 'Copy Text', undefined);
		await run('forge.review.send');
		assert.match(stubbed.copied.at(-1) ?? '', /\nSurely NULL, as I think\.\n/);
		typing(changed('It is NULL.'), changed('It is NULL, see below.'));
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.match(mailer.sent[0]?.source ?? '', /\nIt is NULL, see below\.\n/);
	});

	test('keeps just typed text when it opens again', async () => {
		const { about, text, documents, mailer, run, write } = await editing();
		const { identity } = mailer;
		const changed = text().replace('May be NULL.', 'Surely NULL.');
		await write({ kind: 'comment', id: 'a', place: line }, 'Is NULL.');
		Object.assign(mailer, {
			identity: async (...args: Parameters<typeof identity>) => {
				documents.type(about, changed);
				return identity(...args);
			},
		});
		stubbed.answers.push('Re: [PATCH lantern v2 1/4] fold: find in a tree');
		await run('forge.review.editMail');
		assert.equal(text(), changed);
	});

	test('replaces its comment after a whitespace change, so nothing is sent twice', async () => {
		const { edit, write, run, mailer, comments } = await editing();
		await edit((before) => before.replace('May be NULL.', 'Surely NULL.'));
		await write({ kind: 'comment', id: 'a', place: line }, 'May be NULL. \n');
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.match(mailer.sent[0]?.source ?? '', /Surely NULL\./);
		assert.deepEqual(comments(), []);
	});

	test('shows another sender before it is sent', async () => {
		const { edit, run } = await editing();
		await edit((before) => before.replace('From: Alice Archer <alice@forge.test>', 'From: Al <al@home.test>'));
		stubbed.answers.push(undefined);
		await assert.rejects(run('forge.review.send'), { name: 'AbortError' });
		assert.match(stubbed.details.join(), /From: Al <al@home\.test>, Alice Archer <alice@forge\.test>/);
	});

	const broken: readonly (readonly [what: string, change: (text: string) => string, said: RegExp])[] = [
		['has no To', (text) => text.replace(`To: ${posting}\n`, ''), /Add a recipient after "To:"\./],
		[
			'has a second In-Reply-To',
			(text) => text.replace('Subject:', 'In-Reply-To: <other@forge.test>\nSubject:'),
			/only once: In-Reply-To: <other@forge\.test>/,
		],
		[
			'replies to another message',
			(text) => text.replace(`In-Reply-To: ${answered}`, 'In-Reply-To: <other@forge.test>'),
			/Restore this line: "In-Reply-To: <m21@forge\.test>"\./,
		],
		[
			'has a line break in an address',
			(text) => text.replace('bob@forge.test', 'bob@\nforge.test'),
			/above the empty line, each in one line: forge\.test>/,
		],
		['has another header', (text) => text.replace('Subject:', 'Bcc: eve@evil.test\nSubject:'), /one line: Bcc: eve@/],
		['has two senders', (text) => text.replace('From: Alice', 'From: eve@evil.test, Alice'), /Write one email address/],
		['has a control character', (text) => text.replace('May be', 'May\u001Bbe'), /control characters/],
	];
	for (const [what, change, said] of broken) {
		test(`that ${what} is not sent, with an error and its text unchanged`, async () => {
			const { edit, run, preview, mailer, text } = await editing();
			await edit(change);
			const before = text();
			assert.match(await preview(), /Message 1 can't be sent as it was edited\./);
			await assert.rejects(run('forge.review.send'), { name: 'AbortError' });
			assert.match(stubbed.shown.at(-1) ?? '', said);
			assert.deepEqual([mailer.sent.length, text()], [0, before]);
		});
	}

	test('is not sent when empty, and starts over on the next edit', async () => {
		const { edit, run, mailer, text } = await editing();
		await edit(() => '');
		stubbed.answers.push('Edit Message');
		await assert.rejects(run('forge.review.send'), { name: 'AbortError' });
		assert.equal(mailer.sent.length, 0);
		await eventually(async () => /May be NULL\./.test(text()), true);
	});

	test('gets a new Message-ID after a failed attempt, because lists drop repeated ids', async () => {
		const { edit, run, mailer } = await editing();
		await edit((before) => before.replace('May be NULL.', 'Surely NULL.'));
		mailer.outcomes.push({ kind: 'notSent', trouble: 'refused', complaint: '550 no' });
		stubbed.answers.push('Send', undefined);
		await run('forge.review.send');
		const id = (source: string | undefined): string => /^Message-ID: (.*)$/m.exec(source ?? '')?.[1] ?? '';
		const tried = id(mailer.sent[0]?.source);
		await edit((before) => before.replace('Surely NULL.', 'Never NULL.'));
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.match(mailer.sent[1]?.source ?? '', /Never NULL\./);
		assert.notEqual(id(mailer.sent[1]?.source), tried);
	});

	test('is not sent without its comments and stays a draft, with a message in preview and sending', async () => {
		const { edit, write, run, preview, mailer, text } = await editing();
		await edit((before) => before.replace('May be NULL.', 'Surely NULL.'));
		await write({ kind: 'comment', id: 'a', place: line }, '');
		assert.match(await preview(), /Not sent, because its comments are gone: /);
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.match(stubbed.details.join(), /1 message that you edited has no comments any more/);
		assert.deepEqual([mailer.sent.length, /Surely NULL/.test(text())], [1, true]);
	});

	const patch = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+two';

	test('asks about an unquoted patch, because the forge would treat it as a patch', async () => {
		const { edit, run, mailer, text } = await editing();
		await edit((before) => before.replace('May be NULL.', `Rather so:\n\n${patch}`));
		stubbed.answers.push(undefined);
		await assert.rejects(run('forge.review.send'), { name: 'AbortError' });
		assert.equal(stubbed.shown.at(-1), 'Send a reply with a patch that is not quoted?');
		assert.match(stubbed.details.at(-1) ?? '', /^"Re: \[PATCH lantern v2 1\/4\][^]*\n\nThe forge takes such a reply/);
		assert.equal(stubbed.asked.at(-1), 'Choose a message to edit', 'the way of sending is not asked for');
		stubbed.answers.push('Send Anyway', 'Send');
		await run('forge.review.send');
		assert.ok(mailer.sent[0]?.source.endsWith(`\n\n${patch}\n`), mailer.sent[0]?.source);
		assert.equal(text(), '');
	});

	test('asks nothing about a quoted or indented patch', async () => {
		const { edit, run, mailer } = await editing();
		const marked = (mark: string): string => patch.replaceAll(/^/gm, mark);
		await edit((before) => before.replace('May be NULL.', `Rather so:\n\n${marked('> ')}\n\n${marked('  ')}`));
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.equal(mailer.sent.length, 2);
	});

	const words = Array.from({ length: 30 }, (_, at) => `word${at}`).join(' ');

	for (const [choice, isWrapped] of [
		['Wrap Long Lines', true],
		['Send As It Is', false],
	] as const) {
		test(`asks once about long lines: ${choice}`, async () => {
			const { edit, run, mailer, comments, drafts } = await editing();
			await edit((before) => before.replace('May be NULL.', `> ${words}\n\n${words}\n\n    ${words}`));
			stubbed.answers.push(choice, 'Send');
			await run('forge.review.send');
			const source = mailer.sent[0]?.source ?? '';
			assert.equal(source.includes(`\n\n${words}\n\n    ${words}\n`), !isWrapped, source);
			assert.ok(source.includes(`\n> ${words}\n\nword0 word1 `), source);
			assert.ok(source.endsWith(`\n\n    ${words}\n`), source);
			assert.deepEqual([comments(), drafts.all(), mailer.sent.length], [[], [], 2]);
		});
	}

	test('leaves no data behind after sending, even with damaged stored data', async () => {
		const { run, write, drafts, mailer } = await editing();
		const madeFrom = { kind: 'mailMadeFrom', messageId: answered } as const;
		await write(part, '');
		await write(madeFrom, '{"text":');
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.deepEqual([mailer.sent.length, drafts.all()], [2, []]);
	});

	test('needs a comment or a trailer', async () => {
		const { run, documents } = situation();
		await run('forge.review.editMail');
		assert.match(stubbed.shown.join(), /No message to edit/);
		assert.deepEqual(documents.opened, []);
	});
});
