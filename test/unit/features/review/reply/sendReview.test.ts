import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { line, list, posting, situation, written } from '../support/reviewSituation.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import type { Email } from 'sourcehut/port/list.ts';
import type { MailSent } from 'hardened-git/sendMail.ts';
import type { DraftPlace } from 'patchmail/review/reviewDraft.ts';
import { draftFiles } from '../../../../../src/machine/storage/draftFiles.ts';
import { keptDrafts } from '../../../../../src/machine/storage/keptDrafts.ts';
import { eventually } from '../../../../support/eventually.ts';
import { makeList } from '../../../../support/makeMail.ts';
import { replyMail } from '../../../../support/patchsetWorld.ts';
import { stubbedDocuments } from '../../../../support/stubbedDocuments.ts';
import { openDocument, resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { reviewUri } = await import('../../../../../src/features/lists/subjects/reviewUri.ts');
const { reviewDraft, reviewSubject } = await import('../../../../../src/store/drafts/reviewDrafts.ts');

const never = new AbortController().signal;

function withCopies(envelope: string, addresses: readonly string[]): string {
	return `Cc: ${addresses.join(', ')}\r\n${envelope}`;
}

const newer = 'v3 of this patchset is newer. Move Draft Comments to Newest Version moves your comments there.';

/** A review with a part that cannot be sent, so it asks before it hands over the rest. */
async function beingHandedOver() {
	const made = await written();
	await made.write({ kind: 'comment', id: 'typed-c', place: line }, 'Half a sen');
	const about = reviewSubject(made.of, { kind: 'comment', id: 'a', place: line });
	return { ...made, text: () => made.documents.textOf(about) };
}

suite('sending a review', () => {
	setup(resetStub);

	test('names an invalid git sender setting in the preview', async () => {
		const { preview, mailer } = await written();
		mailer.identity = () => Promise.reject(new GitFailure({ kind: 'refused', what: 'sender' }, 'Ann <'));
		await assert.rejects(preview(), /The git setting sendemail\.from or sendemail\.identity cannot be used here\. /);
	});

	test('shows the messages with headers in the preview, and passes them to git unchanged', async () => {
		const { run, preview, mailer, write, comments, drafts } = await written();
		await write({ kind: 'trailer', messageId: '<m21@forge.test>' }, 'Nacked-by');
		const shown = await preview();
		for (const expected of [
			'From: Alice Archer <alice@forge.test>',
			`To: ${posting}`,
			// Dora replied to the first patch only.
			'Cc: Bob Builder <bob@forge.test>, Dora Reviewer <dora@forge.test>',
			'Cc: Bob Builder <bob@forge.test>',
			'Subject: Re: [PATCH lantern v2 1/4] fold: find in a tree',
			'Message-ID: <forge-desk-id1@forge.test>',
			'In-Reply-To: <m21@forge.test>',
			'> +\tstruct fold *found = tree_find(line);',
			'May be NULL.',
			'Nacked-by: Alice Archer <alice@forge.test>',
			'---------- Message 2 of 2 ----------',
			'In-Reply-To: <m22@forge.test>',
		]) {
			assert.ok(shown.split('\n').includes(expected), `${expected}\n${shown}`);
		}
		stubbed.answers.push('Send');
		await run('forge.review.send');
		const [first, second] = mailer.sent;
		assert.deepEqual([first?.to, mailer.sent.length], [[posting], 2]);
		assert.deepEqual(
			[first?.cc, second?.cc],
			[['Bob Builder <bob@forge.test>', 'Dora Reviewer <dora@forge.test>'], ['Bob Builder <bob@forge.test>']],
		);
		assert.match(first?.source ?? '', /^Message-ID: <forge-desk-id1@forge\.test>$/m);
		assert.match(second?.source ?? '', /\n\nFine\.\n$/);
		assert.deepEqual([comments(), drafts.all()], [[], []], 'what was sent is no draft any more');
		assert.match(stubbed.shown.join(), /Sent 2 messages to ~alice\/devel@lists\.forge\.test\./);
	});

	test('marks the patchset as seen after all messages are sent', async () => {
		const { run, connection, isNew, mailer } = await written('~carol');
		await connection.lists.patchset({ list, id: 2 }, never);
		connection.patchsetReadMarks.see(list, () => []);
		assert.equal(isNew(), true);
		mailer.outcomes.push({ kind: 'sent' }, { kind: 'notSent', trouble: 'refused', complaint: '550 no' });
		stubbed.answers.push('Send', undefined);
		await run('forge.review.send');
		assert.equal(isNew(), true, 'half of it is not sent');
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.equal(isNew(), false);
	});

	test('updates the open preview when a comment changes', async () => {
		const { onDidChangePreview, write, of } = situation();
		const uri = reviewUri(of);
		stubbedDocuments.open.push({ uri, isDirty: false, getText: () => '', save: () => Promise.resolve(true) });
		const told: string[] = [];
		onDidChangePreview((changes) => told.push(...changes.map((change) => change.uri.toString())));
		await write({ kind: 'comment', id: 'a', place: line }, 'May be NULL.');
		assert.deepEqual(told, [uri.toString()]);
		stubbedDocuments.open.length = 0;
	});

	test('shows the preview in the message language', async () => {
		const { of } = situation();
		const preview = {
			uri: reviewUri(of),
			languageId: 'plaintext',
			isDirty: false,
			getText: () => '',
			save: async () => true,
		};
		openDocument(preview);
		await eventually(async () => preview.languageId, 'forge-mail');
	});

	test('skips text that was typed but not added, and says so in the preview', async () => {
		const { run, write, preview, mailer, comments } = await written();
		await write({ kind: 'comment', id: 'typed-c', place: line }, 'Half a sen');
		assert.match(await preview(), /^Not sent, because it was typed and not added: Half a sen$/m);
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.ok(mailer.sent.every(({ source }) => !source.includes('Half a sen')));
		assert.deepEqual(comments(), ['Half a sen']);
	});

	const gone: DraftPlace = { kind: 'mail', messageId: '<gone@forge.test>' };
	const notSent =
		'1 comment was typed and not added, so it is not sent. Open it from Drafts to add it.\n' +
		'The messages that 2 comments are about are gone, so they are not sent. Their texts are in Drafts.';

	test('names the unsent parts before it sends or hands over', async () => {
		const { run, write, mailer } = await written();
		await write({ kind: 'comment', id: 'typed-c', place: line }, 'Half a sen');
		await write({ kind: 'comment', id: 'd', place: gone }, 'Lost.');
		await write({ kind: 'comment', id: 'e', place: gone }, 'Lost too.');
		stubbed.answers.push(undefined);
		await assert.rejects(run('forge.review.send'), isAbort);
		assert.ok(stubbed.details.at(-1)?.endsWith(`\n\n${newer}\n${notSent}`), stubbed.details.at(-1));
		stubbed.answers.push('Other Ways…', 'Copy Text', undefined);
		await assert.rejects(run('forge.review.send'), isAbort);
		assert.deepEqual(
			[stubbed.shown.at(-1), stubbed.details.at(-1), stubbed.copied],
			['Hand over only a part of your review?', notSent, []],
		);
		stubbed.answers.push('Other Ways…', 'Copy Text', 'Hand Over the Rest');
		await run('forge.review.send');
		assert.deepEqual([stubbed.copied.length, mailer.sent.length], [1, 0]);
	});

	test('reports missing replies, and doesn’t treat their messages as deleted', async () => {
		const { run, write, preview, mailer, world } = await written();
		const below: DraftPlace = { kind: 'text', messageId: '<m31@forge.test>', part: 'text', line: 3 };
		await write({ kind: 'comment', id: 'c', place: below }, 'Because.');
		// The newest messages of the list have its address, because the thread fails to load.
		world.posts.set(
			'~alice/devel',
			world.mails.filter(({ id }) => id === 31),
		);
		world.before = (call) => {
			if (call.startsWith('thread')) {
				throw new ForgeError({ kind: 'serverError', status: 503 });
			}
		};
		const shown = await preview();
		assert.match(shown, /^Not all replies could be loaded, so people who wrote them may be missing in Cc\./m);
		assert.match(shown, /^Not sent, because its message could not be loaded: Because\.$/m);
		stubbed.answers.push(undefined);
		await assert.rejects(run('forge.review.send'), isAbort);
		assert.match(stubbed.details.at(-1) ?? '', /could not be loaded, which are not sent now: 1\./);
		assert.equal(mailer.sent.length, 0);
	});

	test('offers the drafts if there is only text that was typed but not added', async () => {
		const { run, write } = situation();
		await write({ kind: 'comment', id: 'typed-c', place: line }, 'Half a sen');
		stubbed.answers.push('Show Drafts');
		await run('forge.review.send');
		assert.equal(
			stubbed.shown.at(-1),
			'Nothing to send. 1 comment was typed and not added, so it is not sent. Open it from Drafts to add it.',
		);
		await eventually(async () => stubbed.executed.at(-1), 'forge.drafts.show');
	});

	test('asks with sender and recipients before it sends', async () => {
		const { run, mailer, comments } = await written();
		stubbed.answers.push(undefined);
		await assert.rejects(run('forge.review.send'), isAbort);
		assert.deepEqual([mailer.sent.length, comments().length], [0, 2]);
		assert.match(stubbed.details.join(), /From: Alice Archer <alice@forge\.test>[^]*bob@forge\.test/);
	});

	test('reports the sent messages after a failure, and retries the rest with the same Message-ID', async () => {
		const { run, mailer, comments, told } = await written();
		mailer.outcomes.push(
			{ kind: 'sent' },
			{ kind: 'notSent', trouble: 'refused', complaint: 'Error\n550 5.1.1 No such list here' },
		);
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.deepEqual(comments(), ['Fine.']);
		assert.match(
			stubbed.shown.join(),
			/Only 1 message sent: "Re: \[PATCH lantern v2 1\/4\] fold: find in a tree"\. The email server rejected the message: 550 5\.1\.1 No such list/,
		);
		const id = /^Message-ID: .*$/m.exec(mailer.sent[1]?.source ?? '')?.[0];
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.deepEqual([mailer.sent.length, comments()], [3, []]);
		assert.equal(/^Message-ID: .*$/m.exec(mailer.sent[2]?.source ?? '')?.[0], id);
		const [first, , third] = mailer.sent.map(({ source }) => /^Message-ID: (.*)$/m.exec(source)?.[1]);
		assert.deepEqual(told, [`~alice/devel ${first}`, `~alice/devel ${third}`]);
	});

	test('uses a new Message-ID for comments written after a failure, because lists drop repeated ids', async () => {
		const { run, mailer, comments, write } = await written();
		mailer.outcomes.push({ kind: 'sent' }, { kind: 'notSent', trouble: 'refused', complaint: '' });
		stubbed.answers.push('Send');
		await run('forge.review.send');
		await write({ kind: 'comment', id: 'c', place: line }, 'One thing more.');
		stubbed.answers.push('Send');
		await run('forge.review.send');
		const ids = mailer.sent.map(({ source }) => /^Message-ID: .*$/m.exec(source)?.[0]);
		assert.deepEqual(
			[ids.length, new Set(ids).size, comments()],
			[4, 3, []],
			'only the one that was refused keeps its id',
		);
		assert.ok(mailer.sent.slice(2).some(({ source }) => source.includes('One thing more.')));
	});

	const question = "Password for 'smtp://alice@mail.forge.test:587': ";

	test('asks for a password once per command', async () => {
		const { run, mailer, write } = await written();
		mailer.questions.push([question], [question], [question]);
		stubbed.answers.push('Send', 'open sesame');
		await run('forge.review.send');
		assert.deepEqual([mailer.sent.length, mailer.replies], [2, ['open sesame', 'open sesame']]);
		assert.deepEqual(
			stubbed.prompts.filter((prompt) => prompt !== ''),
			[question.trim()],
		);
		await write({ kind: 'comment', id: 'c', place: line }, 'One thing more.');
		stubbed.answers.push('Send', 'another');
		await run('forge.review.send');
		assert.deepEqual([mailer.sent.length, mailer.replies.at(-1)], [3, 'another']);
	});

	test('asks again for a rejected password, even within one message', async () => {
		const { run, mailer } = await written();
		mailer.questions.push([question, question], [question], [question]);
		mailer.outcomes.push({ kind: 'notSent', trouble: 'notAllowed', complaint: '5.7.8 No' });
		stubbed.answers.push('Send', 'wrong', 'wrong too');
		await run('forge.review.send');
		assert.deepEqual(mailer.replies, ['wrong', 'wrong too']);
		assert.match(stubbed.shown.join(), /No message was sent\. The email server rejected your user name or password\./);
		stubbed.answers.push('Send', 'right');
		await run('forge.review.send');
		assert.deepEqual(mailer.replies.slice(2), ['right', 'right']);
	});

	test('reports a cancelled password prompt and the messages sent before it', async () => {
		const { run, mailer, comments } = await written();
		const unknown: MailSent = { kind: 'notSent', trouble: 'notAllowed', complaint: 'could not read Password' };
		mailer.questions.push([question]);
		mailer.outcomes.push(unknown);
		stubbed.answers.push('Send', undefined);
		await run('forge.review.send');
		assert.equal(stubbed.shown.at(-1), 'No message was sent. Sending was cancelled. Your drafts are kept.');
		assert.deepEqual([comments().length, stubbed.warned], [2, []]);
		mailer.questions.push([question], [question, question]);
		mailer.outcomes.push({ kind: 'sent' }, unknown);
		stubbed.answers.push('Send', 'open sesame', undefined);
		await run('forge.review.send');
		assert.equal(
			stubbed.shown.at(-1),
			'Only 1 message sent: "Re: [PATCH lantern v2 1/4] fold: find in a tree". Sending was cancelled. The other drafts are kept.',
		);
		assert.deepEqual(comments(), ['Fine.']);
	});

	test('rejects a second send during the first one', async () => {
		const { run, mailer } = await written();
		stubbed.answers.push('Send', 'Send');
		const first = run('forge.review.send');
		await run('forge.review.send');
		assert.equal(stubbed.shown.at(-1), 'This is being sent already.');
		await first;
		assert.equal(mailer.sent.length, 2);
	});

	test('expects each sent message on the list, also one with an unknown outcome', async () => {
		const { run, mailer, told } = await written();
		mailer.outcomes.push({ kind: 'sent' }, { kind: 'unsure', complaint: 'Connection closed' });
		stubbed.answers.push('Send');
		await run('forge.review.send');
		const ids = mailer.sent.map(({ source }) => /^Message-ID: (.*)$/m.exec(source)?.[1]);
		assert.deepEqual(
			told,
			ids.map((id) => `~alice/devel ${id}`),
		);
		assert.equal(told.length, 2);
	});

	test('checks the list after an unknown outcome, and sends nothing twice', async () => {
		const { run, mailer, comments, world } = await written();
		mailer.outcomes.push({ kind: 'unsure', complaint: 'Connection closed' });
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.equal(comments().length, 2);
		// The message is not on the list, and the user cancels.
		stubbed.answers.push(undefined);
		await assert.rejects(run('forge.review.send'), isAbort);
		assert.equal(mailer.sent.length, 1);
		world.mails.push({ ...replyMail(40, 21, 'May be NULL.\n'), messageId: '<forge-desk-id1@forge.test>' });
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.deepEqual([mailer.sent.length, comments()], [2, []]);
		assert.match(mailer.sent[1]?.source ?? '', /\n\nFine\.\n$/);
	});

	test('repeats the question after an unknown outcome until something is sent', async () => {
		const { run, runElsewhere, mailer } = await written();
		mailer.outcomes.push({ kind: 'unsure', complaint: 'Connection closed' });
		stubbed.answers.push('Send');
		await run('forge.review.send');
		// "Send Again", and then the user cancels the last question.
		stubbed.answers.push('Send Again', undefined);
		await assert.rejects(run('forge.review.send'), isAbort);
		stubbed.answers.push(undefined);
		await assert.rejects(runElsewhere('forge.review.send'), isAbort);
		assert.equal(stubbed.shown.at(-1), 'A message may have been sent already.');
		assert.equal(mailer.sent.length, 1);
	});

	test('repeats the question about an unknown outcome after a failed retry, with the same id or another', async () => {
		const { run, mailer, write, comments, world } = await written();
		mailer.outcomes.push({ kind: 'unsure', complaint: 'Connection closed' });
		stubbed.answers.push('Send');
		await run('forge.review.send');
		mailer.outcomes.push(
			{ kind: 'notSent', trouble: 'unreachable', complaint: '' },
			new GitFailure({ kind: 'programMissing', program: 'git' }),
			{ kind: 'notSent', trouble: 'unreachable', complaint: '' },
		);
		for (const text of ['May be NULL.', 'May be NULL.', 'It cannot be NULL.']) {
			await write({ kind: 'comment', id: 'a', place: line }, text);
			stubbed.answers.push('Send Again', 'Send');
			await run('forge.review.send');
			stubbed.answers.push(undefined);
			await assert.rejects(run('forge.review.send'), isAbort, text);
			assert.equal(stubbed.shown.at(-1), 'A message may have been sent already.');
		}
		const ids = mailer.sent.map(({ source }) => /^Message-ID: (.*)$/m.exec(source)?.[1] ?? '');
		assert.deepEqual([ids.length, ids[1] === ids[0], ids[2] === ids[0]], [3, true, false]);
		world.mails.push({ ...replyMail(40, 21, 'May be NULL.\n'), messageId: ids[0] ?? '' });
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.deepEqual([mailer.sent.length, comments()], [5, []]);
		await run('forge.review.send');
		assert.equal(stubbed.shown.at(-1), 'There are no draft comments to send. Comment on a line of a diff first.');
	});

	test('reports messages found on the list, with and without others to send', async () => {
		const { run, mailer, world, comments } = await written();
		const unsure = { kind: 'unsure', complaint: 'Connection closed' } as const;
		mailer.outcomes.push(unsure, unsure);
		const failed = async (found: string) => {
			stubbed.answers.push('Send');
			await run('forge.review.send');
			const id = /^Message-ID: (.*)$/m.exec(mailer.sent.at(-1)?.source ?? '')?.[1];
			world.mails.push({ ...replyMail(40 + mailer.sent.length, 21, found), messageId: id ?? '' });
		};
		await failed('May be NULL.\n');
		await failed('Fine.\n');
		assert.ok(stubbed.details.at(-1)?.endsWith(`\n\n${newer}\nSent before: 1 message.`), stubbed.details.at(-1));
		await run('forge.review.send');
		assert.equal(stubbed.shown.at(-1), 'Nothing else to send. Sent before: 1 message.');
		assert.deepEqual([mailer.sent.length, comments()], [2, []]);
	});

	test('uses a new Message-ID for a rejected message after its text changed', async () => {
		const { run, write, mailer } = await written();
		const refused = { kind: 'notSent', trouble: 'refused', complaint: '' } as const;
		mailer.outcomes.push(refused, refused);
		for (const text of ['May be NULL.', 'It cannot be NULL.', 'It cannot be NULL.']) {
			await write({ kind: 'comment', id: 'a', place: line }, text);
			stubbed.answers.push('Send');
			await run('forge.review.send');
		}
		const ids = mailer.sent.map(({ source }) => /^Message-ID: (.*)$/m.exec(source)?.[1] ?? '');
		assert.deepEqual([ids[1] === ids[0], ids[2] === ids[1], ids.length], [false, true, 4]);
	});

	test('sends nothing if the record of the attempt cannot be written, and assumes nothing was sent', async () => {
		const { run, mailer, drafts, comments } = await written();
		const real = { ...drafts };
		Object.assign(drafts, {
			keep: async (...given: Parameters<typeof drafts.keep>) => {
				await real.keep(...given);
				if (given[0].kind === 'review' && given[0].part.kind === 'sending') {
					throw new Error('The disk is full');
				}
			},
		});
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.match(stubbed.shown.at(-1) ?? '', /^No message was sent\./);
		assert.doesNotMatch(stubbed.shown.join(), /Sent 0/);
		Object.assign(drafts, real);
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.deepEqual([mailer.sent.length, comments()], [2, []]);
	});

	test('sends nothing and says so if another window sent the review during the question', async () => {
		const { run, runElsewhere, mailer, comments } = await written();
		const answer = Promise.withResolvers<string>();
		stubbed.laterAnswers.push(answer.promise);
		const asked = run('forge.review.send');
		await eventually(async () => stubbed.shown.at(-1), 'Send 2 messages?');
		stubbed.answers.push('Send');
		await runElsewhere('forge.review.send');
		assert.deepEqual([mailer.sent.length, comments()], [2, []]);
		answer.resolve('Send');
		await assert.rejects(asked, isAbort);
		assert.equal(mailer.sent.length, 2);
		assert.match(
			stubbed.shown.at(-1) ?? '',
			/^This was changed or sent since it was prepared.* nothing was sent now\./,
		);
	});

	test('asks again if the review changed during the question', async () => {
		const { run, write, mailer, comments } = await written();
		const answer = Promise.withResolvers<string>();
		stubbed.laterAnswers.push(answer.promise);
		const asked = run('forge.review.send');
		await eventually(async () => stubbed.shown.at(-1), 'Send 2 messages?');
		await write({ kind: 'comment', id: 'a', place: line }, 'It cannot be NULL.');
		answer.resolve('Send');
		await assert.rejects(asked, isAbort);
		assert.deepEqual([mailer.sent.length, comments()], [0, ['Fine.', 'It cannot be NULL.']]);
	});

	test('includes text typed into a comment’s document during the preparation', async () => {
		const { run, documents, mailer, of, comments } = await written();
		const about = reviewSubject(of, { kind: 'comment', id: 'a', place: line });
		const { identity } = mailer;
		Object.assign(mailer, {
			identity: async (...args: Parameters<typeof identity>) => {
				documents.type(about, 'May be NULL, or not.');
				return identity(...args);
			},
		});
		stubbed.answers.push('Other Ways…', 'Copy Text', undefined);
		await run('forge.review.send');
		assert.match(stubbed.copied.at(-1) ?? '', /\nMay be NULL, or not\.\n/);
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.match(mailer.sent[0]?.source ?? '', /\n\nMay be NULL, or not\.\n$/);
		assert.deepEqual(comments(), []);
	});

	test('includes text typed while an earlier text is saved', async () => {
		const { run, documents, drafts, of } = await written();
		const about = reviewSubject(of, { kind: 'comment', id: 'a', place: line });
		documents.type(about, 'May be NULL, or');
		const keep = drafts.keep.bind(drafts);
		const kept: string[] = [];
		Object.assign(drafts, {
			keep: async (...[what, draft]: Parameters<typeof keep>) => {
				await keep(what, draft);
				kept.push(draft.text);
				documents.type(about, 'May be NULL, or not.');
			},
		});
		stubbed.answers.push('Other Ways…', 'Copy Text', undefined);
		await run('forge.review.send');
		assert.deepEqual(kept.slice(0, 1), ['May be NULL, or']);
		assert.match(stubbed.copied.at(-1) ?? '', /\nMay be NULL, or not\.\n/);
	});

	test('hands over nothing if the review changed during the question, and says so', async () => {
		const { run, documents, of, text } = await beingHandedOver();
		const answer = Promise.withResolvers<string>();
		stubbed.laterAnswers.push(Promise.resolve('Other Ways…'), answer.promise);
		stubbed.answers.push('Copy Text');
		const asked = run('forge.review.send');
		await eventually(async () => stubbed.shown.at(-1), 'Hand over only a part of your review?');
		documents.type(reviewSubject(of, { kind: 'comment', id: 'a', place: line }), 'It cannot be NULL.');
		answer.resolve('Hand Over the Rest');
		await assert.rejects(asked, isAbort);
		assert.match(stubbed.shown.at(-1) ?? '', /^This was changed or sent since it was prepared/);
		assert.deepEqual([stubbed.copied, text()], [[], 'It cannot be NULL.']);
		stubbed.answers.push('Other Ways…', 'Copy Text', 'Hand Over the Rest', undefined);
		await run('forge.review.send');
		assert.match(stubbed.copied.join(), /It cannot be NULL\./);
	});

	test('saves no file if the review changed while the user chose its path', async () => {
		const { run, write } = situation();
		await write({ kind: 'comment', id: 'a', place: line }, 'May be NULL.');
		stubbed.answers.push('Other Ways…', 'Save as .eml File…');
		const place = Promise.withResolvers<string>();
		stubbed.laterPlaces.push(place.promise);
		const asked = run('forge.review.send');
		await eventually(async () => stubbed.asked.at(-1), 'Save Message');
		await write({ kind: 'comment', id: 'a', place: line }, 'It cannot be NULL.');
		place.resolve('/tmp/reply.eml');
		await assert.rejects(asked, isAbort);
		assert.deepEqual(stubbed.written, []);
	});

	test('mentions text typed into a box while the user chose how to send', async () => {
		const { run, mailer, write } = await written();
		const { isTrusted } = mailer;
		Object.assign(mailer, {
			isTrusted: () => {
				void write({ kind: 'comment', id: 'typed-c', place: line }, 'Half a sen');
				return isTrusted();
			},
		});
		stubbed.answers.push(undefined);
		await assert.rejects(run('forge.review.send'), isAbort);
		assert.match(stubbed.details.at(-1) ?? '', /1 comment was typed and not added, so it is not sent\./);
	});

	test('closes the documents of sent comments only', async () => {
		const { run, of, documents, mailer, write } = await written();
		const open = async (id: string, place: DraftPlace) =>
			documents.open(reviewSubject(of, { kind: 'comment', id, place }));
		await open('a', line);
		await open('b', { kind: 'mail', messageId: '<m22@forge.test>' });
		mailer.outcomes.push({ kind: 'sent' }, { kind: 'notSent', trouble: 'refused', complaint: '' });
		stubbed.answers.push('Send');
		await run('forge.review.send');
		const left = documents.opened.map(
			(about) => about.kind === 'review' && about.part.kind === 'comment' && about.part.id,
		);
		assert.deepEqual(left, ['b']);
		// Text typed during the send remains a draft.
		const outcome = Promise.withResolvers<MailSent>();
		mailer.outcomes.push(outcome.promise);
		stubbed.answers.push('Send');
		const sending = run('forge.review.send');
		await eventually(async () => mailer.outcomes.length, 0);
		await write({ kind: 'comment', id: 'b', place: { kind: 'mail', messageId: '<m22@forge.test>' } }, 'Fine. Or not?');
		outcome.resolve({ kind: 'sent' });
		await sending;
		assert.deepEqual([mailer.sent.length, documents.opened.length], [3, 1]);
	});

	test('reports sent messages even if their drafts cannot be removed, and removes them next time', async () => {
		const { run, documents, mailer, of, comments } = await written();
		await documents.open(reviewSubject(of, { kind: 'comment', id: 'a', place: line }));
		documents.failures.push(new Error('The tab stays'));
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.match(stubbed.shown.at(-1) ?? '', /^Sent 2 messages, but what was sent couldn't be removed here\./);
		await run('forge.review.send');
		assert.deepEqual([mailer.sent.length, comments(), documents.opened], [2, [], []]);
	});

	test('hands over the messages in an untrusted window, and keeps the drafts until the user discards them', async () => {
		const { run, mailer, comments } = await written();
		mailer.isAllowed = false;
		stubbed.answers.push('Copy Text', 'Discard Drafts');
		await run('forge.review.send');
		assert.match(stubbed.copied.join(), /May be NULL\.[^]*Fine\./);
		assert.equal(mailer.sent.length, 0);
		await eventually(async () => comments(), []);
	});

	test('copies the Cc addresses with the text if they don’t fit into a link', async () => {
		const { run, write, mailer, world } = situation();
		mailer.isAllowed = false;
		const cc = Array.from({ length: 90 }, (_, at) => `somebody-${at}@example.org`);
		const [patch] = world.mails.filter(({ messageId }) => messageId === '<m21@forge.test>');
		assert.ok(patch);
		world.mails.splice(world.mails.indexOf(patch), 1, { ...patch, envelope: withCopies(patch.envelope, cc) });
		await write({ kind: 'comment', id: 'a', place: line }, 'May be NULL.');
		stubbed.answers.push('Open in Email Program');
		await run('forge.review.send');
		assert.match(stubbed.copied.at(-1) ?? '', /^Cc: .*somebody-89@example\.org.*\n\n[^]*May be NULL\.\n$/);
		assert.match(stubbed.shown.join(), /The text and the email addresses in Cc were too long for it: paste them/);
	});

	test('sends nothing and reports the reason if git cannot start', async () => {
		const { run, mailer, comments } = await written();
		mailer.outcomes.push(new GitFailure({ kind: 'programMissing', program: 'git' }));
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.equal(comments().length, 2);
		assert.match(stubbed.shown.join(), /No message was sent\. Git was not found\./);
	});

	for (const command of ['send', 'preview', 'editMail', 'discard'] as const) {
		test(`offers no list for ${command} without a draft or page, and suggests the next step`, async () => {
			const { run } = situation();
			await assert.rejects(run(`forge.review.${command}`, null), isAbort);
			assert.deepEqual(
				[stubbed.asked, stubbed.shown],
				[[], ['You have no draft review. Open a patchset and comment on a line of its diff.']],
			);
		});
	}

	test('reports that there is nothing to send', async () => {
		const { run } = situation();
		await run('forge.review.send');
		assert.equal(stubbed.shown.at(-1), 'There are no draft comments to send. Comment on a line of a diff first.');
	});

	test('asks for the list’s address if no message has it', async () => {
		const { run, write, preview, mailer } = situation({ postedTo: '' });
		await write({ kind: 'comment', id: 'a', place: line }, 'May be NULL.');
		assert.match(
			await preview(),
			/^The email address of this list isn't certain from its messages\.[^]*^May be NULL\.$/m,
		);
		stubbed.answers.push(undefined);
		await assert.rejects(run('forge.review.send'), isAbort);
		assert.equal(stubbed.prompts.at(-1), 'No message of this list names its email address.');
		stubbed.answers.push(posting, 'Send');
		await run('forge.review.send');
		assert.deepEqual(
			mailer.sent.map(({ to }) => to),
			[[posting]],
		);
	});

	test('stores the list’s address for later windows, and updates the preview', async () => {
		const { run, runElsewhere, write, preview, mailer, onDidChangePreview, of } = situation({ postedTo: '' });
		await write({ kind: 'comment', id: 'a', place: line }, 'May be NULL.');
		assert.doesNotMatch(await preview(), /^To:/m);
		const changed: string[] = [];
		const uri = reviewUri(of);
		stubbedDocuments.open.push({ uri, isDirty: false, getText: () => '', save: () => Promise.resolve(true) });
		onDidChangePreview((all) => void changed.push(...all.map(({ uri }) => String(uri))));
		stubbed.answers.push(posting, undefined);
		await assert.rejects(run('forge.review.send'), isAbort);
		assert.deepEqual(changed, [uri.toString()]);
		stubbedDocuments.open.length = 0;
		assert.match(await preview(), /^Review of [^]*^To: ~alice\/devel@lists\.forge\.test$/m);
		const asked = stubbed.prompts.length;
		stubbed.answers.push('Send');
		await runElsewhere('forge.review.send');
		assert.equal(stubbed.prompts.length, asked);
		assert.deepEqual(
			mailer.sent.map(({ to }) => to),
			[[posting]],
		);
	});

	test('takes no list address from messages of strangers, however many', async () => {
		const elsewhere = '~alice/devel@evil.test';
		const { run, world, write, preview, mailer } = situation({ postedTo: elsewhere });
		const from = (id: number, sender: string, address: string): Email => {
			const made = replyMail(id, 21, 'Yes.\n', sender);
			return { ...made, envelope: `List-Post: <mailto:${address}>\r\n${made.envelope}` };
		};
		const honest = from(50, 'Hal <hal@forge.test>', '~alice/devel@mail.real.test');
		world.mails.push(...[40, 41, 42].map((id) => from(id, `s${id}@evil.test`, elsewhere)), honest);
		world.posts.set('~alice/devel', [honest]);
		await write({ kind: 'comment', id: 'a', place: line }, 'May be NULL.');
		assert.match(await preview(), /^The email address of this list isn't certain/);
		assert.doesNotMatch(await preview(), /devel@/);
		stubbed.answers.push(posting, 'Send');
		await run('forge.review.send');
		assert.deepEqual(
			mailer.sent.map(({ to }) => to),
			[[posting]],
		);
	});

	test('asks to check an address on another host that only a stranger uses', async () => {
		const elsewhere = '~alice/devel@evil.test';
		const { run, write, preview, mailer } = situation({ postedTo: elsewhere });
		await write({ kind: 'comment', id: 'a', place: line }, 'May be NULL.');
		assert.doesNotMatch(await preview(), /evil/);
		stubbed.answers.push(posting, 'Send');
		await run('forge.review.send');
		assert.deepEqual(stubbed.prefilled, [elsewhere]);
		assert.match(stubbed.prompts.at(-1) ?? '', /^Check this email address\. It isn't on the host of the forge/);
		assert.deepEqual(
			mailer.sent.map(({ to }) => to),
			[[posting]],
		);
	});

	test('adds a trailer to the chosen patches, shows it in the preview, and removes it', async () => {
		const { run, preview, of, drafts } = situation();
		stubbed.answers.push('Each patch', 'Acked-by');
		await run('forge.review.setTrailer');
		assert.deepEqual([...reviewDraft(drafts, of).trailers.values()], ['Acked-by', 'Acked-by', 'Acked-by']);
		assert.match(await preview(), /^Acked-by: Alice Archer <alice@forge\.test>$/m);
		stubbed.answers.push('Each patch', 'None');
		await run('forge.review.setTrailer');
		assert.equal(reviewDraft(drafts, of).trailers.size, 0);
	});

	test('lists the drafts of each review, with status and trailers', async () => {
		const { run, write, drafts, of } = situation();
		await write({ kind: 'status' }, 'applied');
		await write({ kind: 'trailer', messageId: '<m21@forge.test>' }, 'Acked-by');
		const other = reviewSubject({ ...of, ref: { ...of.ref, id: 1 } }, { kind: 'comment', id: 'a', place: line });
		await drafts.keep(other, { text: 'Why?', atMs: 2 });
		stubbed.answers.push(undefined);
		await assert.rejects(run('forge.review.preview', null), isAbort);
		assert.deepEqual(
			stubbed.offered.map(({ detail }) => detail),
			['1 draft comment', '1 draft trailer · draft status: Applied'],
		);
	});

	test('discards all parts of the review after a question', async () => {
		const { run, comments, write } = await written();
		await write({ kind: 'trailer', messageId: '<m21@forge.test>' }, 'Acked-by');
		stubbed.answers.push(undefined);
		await assert.rejects(run('forge.review.discard'), isAbort);
		assert.equal(comments().length, 2);
		assert.match(
			stubbed.details.at(-1) ?? '',
			/^These are removed: 2 draft comments, 1 draft trailer\. They were not sent\./,
		);
		stubbed.answers.push('Discard');
		await run('forge.review.discard');
		assert.deepEqual(comments(), []);
	});

	test('closes the documents of discarded parts, and of no other review', async () => {
		const { run, documents, drafts, of, write } = await written();
		const suggestedFile = { kind: 'suggestedFile', document: 'forge-patch:/a' } as const;
		await write(suggestedFile, 'text');
		stubbed.answers.push('Re: [PATCH lantern v2 1/4] fold: find in a tree');
		await run('forge.review.editMail');
		const comment = { kind: 'comment', id: 'a', place: line } as const;
		const [ofComment, ofFile] = [reviewSubject(of, comment), reviewSubject(of, suggestedFile)];
		const other = reviewSubject({ ...of, ref: { ...of.ref, id: 1 } }, comment);
		await documents.open(ofComment);
		await documents.open(ofFile);
		await documents.open(other, 'Of another patchset.');
		documents.type(ofComment, 'Was typed a moment ago.');
		stubbed.answers.push('Discard');
		await run('forge.review.discard');
		assert.deepEqual([documents.opened, drafts.all().map(({ about }) => about)], [[other], [other]]);
		assert.deepEqual([documents.textOf(ofComment), documents.textOf(ofFile)], [undefined, undefined]);
	});

	test('names each kind of discarded part', async () => {
		const { run, write, drafts } = situation();
		await write({ kind: 'status' }, 'applied');
		await write({ kind: 'suggestedFile', document: 'forge-patch:/a' }, 'text');
		await write({ kind: 'mail', messageId: '<m21@forge.test>' }, 'text');
		stubbed.answers.push('Discard');
		await run('forge.review.discard');
		assert.match(
			stubbed.details.at(-1) ?? '',
			/^These are removed: draft status: Applied, edited messages: 1, files that you were changing: 1\. /,
		);
		assert.deepEqual(drafts.all(), []);
		await write({ kind: 'sending' }, '[]');
		stubbed.answers.push('Discard');
		await run('forge.review.discard');
		assert.match(stubbed.details.at(-1) ?? '', /^These are removed: notes on what was sent\. /);
	});
});

/** Lets unawaited work continue. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

const header = /^X-Sourcehut-Patchset-Update: (.*)$/m;

suite('status of a review', () => {
	setup(resetStub);

	test('is in the preview, and set by a request after all messages of an own list are sent', async () => {
		const { run, preview, mailer, status, keptStatus, comments, statusActs } = await written();
		stubbed.answers.push('Approved');
		await run('forge.review.setStatus');
		assert.match(stubbed.asked.join(), /^Status of /);
		assert.deepEqual([keptStatus(), status()], ['approved', 'proposed']);
		assert.match(await preview(), /^Once all messages are sent, the status is set to Approved\.$/m);
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.match(stubbed.details.join(), /Once all messages are sent, the status is set to Approved/);
		assert.deepEqual([mailer.sent.length, status(), keptStatus(), comments()], [2, 'approved', undefined, []]);
		assert.ok(mailer.sent.every(({ source }) => !header.test(source)));
		assert.match(stubbed.shown.join(), /Sent 2 messages to ~alice\/devel@lists\.forge\.test\. Status: Approved/);
		const act = statusActs.takeNewest([]);
		assert.deepEqual(
			act?.items.map(({ before, after }) => [before, after]),
			[['proposed', 'approved']],
			'it can be undone',
		);
	});

	test('is a header of the last message for another list, without a request', async () => {
		const { run, preview, mailer, world, keptStatus, status } = await written('~bob');
		stubbed.answers.push('Needs revision');
		await run('forge.review.setStatus');
		assert.match(await preview(), /^The last message asks the forge to set the status to Needs revision/m);
		assert.match(await preview(), /^X-Sourcehut-Patchset-Update: NEEDS_REVISION$/m);
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.deepEqual(
			mailer.sent.map(({ source }) => header.exec(source)?.[1]),
			[undefined, 'NEEDS_REVISION'],
		);
		assert.deepEqual([keptStatus(), status()], [undefined, 'proposed']);
		assert.ok(
			world.calls.every((call) => !/status/i.test(call)),
			world.calls.join(),
		);
	});

	test('is set by a request if the account moderates the list, with and without messages', async () => {
		const { run, preview, status, world, connection } = situation({ me: '~bob' });
		world.lists.splice(
			0,
			1,
			makeList({ permissions: { nonsubscriber: [], subscriber: [], account: [], mine: ['moderate'] } }),
		);
		await connection.lists.collection.read(list, never);
		stubbed.answers.push('Approved');
		await run('forge.review.setStatus');
		assert.deepEqual((await preview()).split('\n').slice(1), ['Sending the review sets the status to Approved.']);
		stubbed.answers.push('Set to Approved');
		await run('forge.review.send');
		assert.equal(status(), 'approved');
	});

	test('needs a comment or trailer if only a header can set it', async () => {
		const { run, preview, keptStatus, mailer } = situation({ me: '~bob' });
		stubbed.answers.push('Needs revision');
		await run('forge.review.setStatus');
		const needs = 'Setting the status to Needs revision by email needs a draft comment or a trailer.';
		assert.deepEqual((await preview()).split('\n').slice(1), [needs]);
		await run('forge.review.send');
		assert.equal(stubbed.shown.at(-1), `Nothing to send. ${needs}`);
		assert.deepEqual([mailer.sent, keptStatus()], [[], 'needs_revision']);
	});

	test('is set without messages on an own list, as the preview says', async () => {
		const { run, preview, status } = situation();
		stubbed.answers.push('Approved');
		await run('forge.review.setStatus');
		const says = 'Sending the review sets the status to Approved.';
		assert.deepEqual((await preview()).split('\n').slice(1), [says]);
		stubbed.answers.push('Set to Approved');
		await run('forge.review.send');
		assert.equal(status(), 'approved');
	});

	test('remains after a failed request, with an error, and is retried without a message', async () => {
		const { run, mailer, world, status, keptStatus, comments } = await written();
		stubbed.answers.push('Rejected');
		await run('forge.review.setStatus');
		world.before = (call) => {
			if (/status/i.test(call)) {
				throw new ForgeError({ kind: 'serverError', status: 502 });
			}
		};
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.match(stubbed.shown.join(), /Sent 2 messages to .* But the status was not set to Rejected: /);
		assert.deepEqual([comments(), keptStatus(), status()], [[], 'rejected', 'proposed']);
		world.before = () => undefined;
		stubbed.answers.push(undefined);
		await assert.rejects(run('forge.review.send'), isAbort);
		assert.equal(status(), 'proposed');
		stubbed.answers.push('Set to Rejected');
		await run('forge.review.send');
		assert.deepEqual([mailer.sent.length, keptStatus(), status()], [2, undefined, 'rejected']);
	});

	test('waits for failed messages', async () => {
		const { run, mailer, status, keptStatus } = await written();
		stubbed.answers.push('Approved');
		await run('forge.review.setStatus');
		mailer.outcomes.push({ kind: 'sent' }, { kind: 'notSent', trouble: 'refused', complaint: '' });
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.deepEqual([status(), keptStatus()], ['proposed', 'approved']);
		stubbed.answers.push('Send');
		await run('forge.review.send');
		assert.deepEqual([status(), keptStatus(), mailer.sent.length], ['approved', undefined, 3]);
	});

	test('is set after handed-over messages when the user discards the drafts', async () => {
		const { run, mailer, status, keptStatus } = await written();
		mailer.isAllowed = false;
		stubbed.answers.push('Approved');
		await run('forge.review.setStatus');
		stubbed.answers.push('Copy Text');
		await run('forge.review.send');
		assert.match(stubbed.shown.join(), /The status is set when you discard the drafts\./);
		assert.equal(status(), 'proposed');
		stubbed.answers.push('Copy Text', 'Discard Drafts');
		await run('forge.review.send');
		await settled();
		assert.deepEqual([status(), keptStatus()], ['approved', undefined]);
	});

	test('is not set by an old "Discard Drafts" after another choice', async () => {
		const { run, mailer, write, status, keptStatus } = await written();
		mailer.isAllowed = false;
		await write({ kind: 'status' }, 'approved');
		const answer = Promise.withResolvers<string>();
		stubbed.laterAnswers.push(answer.promise);
		stubbed.answers.push('Copy Text');
		await run('forge.review.send');
		await eventually(async () => stubbed.shown.at(-1)?.startsWith('Copied 2 messages.'), true);
		await write({ kind: 'status' }, 'rejected');
		answer.resolve('Discard Drafts');
		await eventually(async () => stubbed.shown.at(-1), 'The status of this review was changed since, so none was set.');
		assert.deepEqual([status(), keptStatus()], ['proposed', 'rejected']);
	});

	test('is not set through a link to the email program, with a warning', async () => {
		const { run, mailer, write } = situation({ me: '~bob' });
		mailer.isAllowed = false;
		await write({ kind: 'comment', id: 'a', place: line }, 'May be NULL.');
		stubbed.answers.push('Approved');
		await run('forge.review.setStatus');
		stubbed.answers.push('Open in Email Program');
		await run('forge.review.send');
		assert.match(stubbed.shown.join(), /A link can't ask the forge for a status: it is not set\./);
	});

	test('is replaceable and removable in later windows', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'forge-desk-drafts-'));
		const openWindow = (name: string) => situation({ drafts: keptDrafts(draftFiles(folder), name) });
		stubbed.answers.push('Needs revision');
		await openWindow('one').run('forge.review.setStatus');
		const two = openWindow('two');
		stubbed.answers.push('Approved', 'None');
		await two.run('forge.review.setStatus');
		assert.equal(openWindow('three').keptStatus(), 'approved');
		await two.run('forge.review.setStatus');
		assert.equal(openWindow('three').keptStatus(), undefined);
		rmSync(folder, { recursive: true });
	});

	test('is removed by the choice None', async () => {
		const { run, keptStatus, preview } = await written();
		stubbed.answers.push('Approved');
		await run('forge.review.setStatus');
		stubbed.answers.push('None');
		await run('forge.review.setStatus');
		assert.ok(stubbed.offered.every((choice) => 'iconPath' in choice));
		assert.equal(keptStatus(), undefined);
		assert.doesNotMatch(await preview(), /status/);
	});
});
