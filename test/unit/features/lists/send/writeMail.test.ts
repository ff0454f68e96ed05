import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { CommandId } from '../../../../../src/commands/table.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import type { Email } from 'sourcehut/port/list.ts';
import { eventually } from '../../../../support/eventually.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { fakeMailDrafts } from '../../../../support/fakeMailDrafts.ts';
import { fakeMailer } from '../../../../support/fakeMailer.ts';
import { patchsetWorld, replyMail } from '../../../../support/patchsetWorld.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { toldSent } from '../../../../support/toldSent.ts';
import type { TypedComments } from '../../../../../src/features/review/reply/commentBoxes.ts';
import type { CommentThreads } from '../../../../../src/features/review/comments/commentThreads.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { replyFeature } = await import('../../../../../src/features/review/reply/replyFeature.ts');
const { tellingOfGit } = await import('../../../../../src/features/repositories/clones/failureText.ts');
const { keptAlone } = await import('../../../../../src/store/drafts/reviewDrafts.ts');
const { draftUri } = await import('../../../../../src/features/tickets/drafts/draftUri.ts');
const { keepComment, reviewDraft, reviewSubject } = await import('../../../../../src/store/drafts/reviewDrafts.ts');

const never = new AbortController().signal;
const list = { owner: '~alice', name: 'devel' };
const posting = '~alice/devel@lists.forge.test';

/** Adds the list’s address to a message. */
function posted(mail: Email): Email {
	return { ...mail, envelope: `List-Post: <mailto:${posting}>\r\n${mail.envelope}` };
}

function situation({ isPosted = true, signature = 'Dora\n' } = {}) {
	const { api, world } = patchsetWorld();
	const asked = replyMail(31, 21, `> -\treturn list[at];\n\nWhy not keep it?\n\n-- \n${signature}`);
	world.mails.push(isPosted ? posted(asked) : asked);
	const connection = listConnection(api);
	const told = toldSent(connection);
	const answered: number[] = [];
	connection.lists.onDidAnswer(({ id }) => answered.push(id));
	const parts = listsParts(fakeConnections(connection));
	const mailer = fakeMailer();
	const documents = fakeMailDrafts(parts.drafts);
	let count = 0;
	const newName = () => `id${(count += 1)}`;
	const openWindow = () =>
		replyFeature(
			{
				...parts,
				mailer,
				mailDrafts: documents,
				newName,
				tellingOfGit: (handler) => tellingOfGit(quietProblems, handler),
			},
			fake<CommentThreads>({}),
			fake<TypedComments>({ added: () => undefined, editEnded: () => undefined }),
		);
	const { commands } = openWindow();
	const { key: connectionKey } = connection;
	const text = (): string => {
		const [about] = documents.opened;
		return (about && documents.textOf(about)) ?? '';
	};
	const run = async (command: CommandId, subject: unknown) => commands[command]?.(subject, never, []);
	return {
		connectionKey,
		documents,
		drafts: parts.drafts,
		queued: () => connection.mailOutbox.items(),
		about: () => documents.opened[0] ?? assert.fail(),
		mailer,
		world,
		text,
		told,
		answered,
		reviews: connection.reviews,
		run,
		mail: { kind: 'mail', connectionKey, list, id: 31, messageId: undefined },
		/** Appends to the open document. */
		type: async (more: string): Promise<void> => {
			const [about] = documents.opened;
			assert.ok(about);
			await parts.drafts.keep(about, { text: text() + more, atMs: 2 });
		},
		/** In another window, or in the same one after a reload. */
		sendElsewhere: async (about = documents.opened[0]): Promise<void> => {
			assert.ok(about);
			await openWindow().commands['forge.lists.sendMail']?.(draftUri(about), never, []);
		},
		send: async (): Promise<void> => {
			const [about] = documents.opened;
			assert.ok(about);
			await run('forge.lists.sendMail', draftUri(about));
		},
	};
}

suite('writing messages', () => {
	setup(resetStub);

	test('names an invalid git sender setting, and sends nothing', async () => {
		const { run, mail, mailer, send } = situation();
		await run('forge.lists.reply', mail);
		mailer.identity = () => Promise.reject(new GitFailure({ kind: 'refused', what: 'sender' }, 'Ann <'));
		await send();
		await run('forge.lists.reply', mail);
		assert.deepEqual(mailer.sent, []);
		assert.equal(stubbed.shown.length, 2);
		for (const text of stubbed.shown) {
			assert.match(text, /^The git setting sendemail\.from or sendemail\.identity cannot be used here\. /);
		}
	});

	test('starts a reply with recipients and quote, and sends it in its thread', async () => {
		const { run, mail, text, type, send, mailer, documents, drafts, told, answered, reviews } = situation();
		await reviews.read({ list, id: 2 }, never);
		await run('forge.lists.reply', mail);
		assert.equal(
			text().replace(/On \S+ \S+ UTC/, 'On a day'),
			[
				`To: ${posting}`,
				'Cc: Dora Reviewer <dora@forge.test>',
				'Subject: Re: [PATCH lantern v2 1/4] fold: find in a tree',
				'',
				'On a day, Dora Reviewer wrote:',
				'> > -\treturn list[at];',
				'>',
				'> Why not keep it?',
				'',
				'',
			].join('\n'),
		);
		await type(`${'It leaks, and nobody has ever measured how much of it there is, so '.repeat(2)}let it go.\n`);
		stubbed.answers.push('Wrap Long Lines', 'Send');
		await send();
		assert.deepEqual(answered, [2]);
		const [sent] = mailer.sent;
		assert.deepEqual(
			[sent?.from, sent?.to, sent?.cc],
			['Alice Archer <alice@forge.test>', [posting], ['Dora Reviewer <dora@forge.test>']],
		);
		assert.match(sent?.source ?? '', /^In-Reply-To: <m31@forge\.test>\nReferences: <m31@forge\.test>$/m);
		const [, body = ''] = sent?.source.split('\n\nOn ') ?? [];
		assert.ok(
			body.split('\n').every((line) => line.length <= 72),
			body,
		);
		assert.match(body, /^> /m, 'a quotation is one');
		assert.doesNotMatch(body, /^ +>/m);
		assert.deepEqual([documents.opened, drafts.all()], [[], []]);
		assert.deepEqual(told, [`~alice/devel ${/^Message-ID: (.*)$/m.exec(sent?.source ?? '')?.[1]}`]);
	});

	test('quotes no signature, but a longer text below its mark', async () => {
		for (const [lines, isQuoted] of [
			[12, false],
			[13, true],
		] as const) {
			const { run, mail, text } = situation({ signature: 'A line\n'.repeat(lines) });
			await run('forge.lists.reply', mail);
			assert.equal(text().includes('> A line'), isQuoted, `${lines} lines`);
		}
	});

	test('names the recipient in the tab of a reply', async () => {
		const { run, mail, documents } = situation();
		await run('forge.lists.reply', mail);
		const [about] = documents.opened;
		assert.match(about ? draftUri(about).path : '', /\/Reply to Dora Reviewer$/);
	});

	test('continues a started reply', async () => {
		const { run, mail, text, type } = situation();
		await run('forge.lists.reply', mail);
		await type('So far.');
		await run('forge.lists.reply', mail);
		assert.match(text(), /So far\.$/);
	});

	test('keeps a failed message with the reason, and checks the list after an unknown outcome', async () => {
		const { run, mail, type, send, mailer, documents, world, told } = situation();
		await run('forge.lists.reply', mail);
		await type('Yes.\n');
		mailer.outcomes.push(
			{ kind: 'notSent', trouble: 'unreachable', complaint: '' },
			{ kind: 'unsure', complaint: 'Connection closed' },
		);
		stubbed.answers.push('Send');
		await send();
		stubbed.answers.push('Send');
		await send();
		assert.equal(documents.opened.length, 1);
		assert.equal(told.length, 1, 'what certainly did not go out is not waited for');
		assert.match(
			stubbed.shown.join(),
			/can't be reached\. The outbox sends 1 message once.*isn't known whether.*Connection closed.*Your draft is kept\./,
		);
		const id = /^Message-ID: (.*)$/m.exec(mailer.sent[1]?.source ?? '')?.[1] ?? '';
		world.mails.push({ ...replyMail(40, 31, 'Yes.\n'), messageId: id });
		await send();
		assert.deepEqual([mailer.sent.length, documents.opened], [2, []]);
	});

	test('keeps a message cancelled before git starts, without an error', async () => {
		const { run, mail, type, send, mailer, documents } = situation();
		await run('forge.lists.reply', mail);
		await type('Yes.\n');
		mailer.outcomes.push(new DOMException('This operation was aborted', 'AbortError'));
		stubbed.laterErrors.push(Promise.resolve(''));
		stubbed.answers.push('Send');
		await send();
		assert.equal(stubbed.shown.at(-1), 'Sending was cancelled. Your draft is kept.');
		assert.equal(stubbed.laterErrors.length, 1);
		assert.deepEqual([mailer.sent.length, documents.opened.length], [0, 1]);
	});

	test('keeps a message with an unknown outcome if its text changed, even if the list has it', async () => {
		const { run, mail, type, send, mailer, documents, world, text } = situation();
		await run('forge.lists.reply', mail);
		await type('Yes.\n');
		mailer.outcomes.push({ kind: 'unsure', complaint: 'Connection closed' });
		stubbed.answers.push('Send');
		await send();
		const id = /^Message-ID: (.*)$/m.exec(mailer.sent[0]?.source ?? '')?.[1] ?? '';
		await type('And more.\n');
		world.mails.push({ ...replyMail(40, 31, 'Yes.\n'), messageId: id });
		await send();
		assert.deepEqual([mailer.sent.length, documents.opened.length], [1, 1]);
		assert.match(text(), /And more\./);
		assert.equal(
			stubbed.shown.at(-1),
			'The message is on the list already, as you wrote it first. Your draft is kept.',
		);
		stubbed.answers.push('Send');
		await send();
		assert.notEqual(/^Message-ID: (.*)$/m.exec(mailer.sent[1]?.source ?? '')?.[1], id);
	});

	test('checks for a message with an unknown outcome after a reload, and sends it again only on request', async () => {
		const { run, mail, type, send, sendElsewhere, mailer, documents, world, drafts } = situation();
		await run('forge.lists.reply', mail);
		await type('Yes.\n');
		mailer.outcomes.push({ kind: 'unsure', complaint: 'Connection closed' });
		stubbed.answers.push('Send');
		await send();
		stubbed.answers.push(undefined);
		await assert.rejects(sendElsewhere(), isAbort);
		assert.equal(stubbed.shown.at(-1), 'A message may have been sent already.');
		// The confirmation covers one attempt; the user cancels it at the last question.
		stubbed.answers.push('Send Again', undefined);
		await assert.rejects(sendElsewhere(), isAbort);
		stubbed.answers.push(undefined);
		await assert.rejects(sendElsewhere(), isAbort);
		assert.equal(mailer.sent.length, 1);
		const id = /^Message-ID: (.*)$/m.exec(mailer.sent[0]?.source ?? '')?.[1] ?? '';
		world.mails.push({ ...replyMail(40, 31, 'Yes.\n'), messageId: id });
		await sendElsewhere();
		assert.deepEqual([mailer.sent.length, documents.opened, drafts.all()], [1, [], []]);
		assert.equal(stubbed.shown.at(-1), 'The message is on the list already. Your draft was removed.');
	});

	test('repeats the question about an unknown outcome after a failed retry, even for another text', async () => {
		const { run, mail, type, send, mailer } = situation();
		await run('forge.lists.reply', mail);
		await type('Yes.\n');
		mailer.outcomes.push({ kind: 'unsure', complaint: 'Connection closed' });
		stubbed.answers.push('Send');
		await send();
		for (const more of ['', 'And more.\n']) {
			await type(more);
			mailer.outcomes.push({ kind: 'notSent', trouble: 'unreachable', complaint: '' });
			stubbed.answers.push('Send Again', 'Send');
			await send();
			stubbed.answers.push(undefined);
			await assert.rejects(send(), isAbort);
			assert.equal(stubbed.shown.at(-1), 'A message may have been sent already.');
		}
		assert.equal(mailer.sent.length, 3);
	});

	test('treats a message as possibly sent if the process ended during the send', async () => {
		const { run, mail, type, send, sendElsewhere, mailer } = situation();
		await run('forge.lists.reply', mail);
		await type('Yes.\n');
		const ended = Promise.withResolvers<never>();
		mailer.outcomes.push(ended.promise);
		stubbed.answers.push('Send');
		const sending = send();
		await eventually(async () => mailer.outcomes.length, 0);
		stubbed.answers.push(undefined);
		await assert.rejects(sendElsewhere(), isAbort);
		assert.equal(stubbed.shown.at(-1), 'A message may have been sent already.');
		ended.reject(new DOMException('The process ended', 'AbortError'));
		await sending;
	});

	test('sends nothing if another window sent the message during the question, even from its remaining document', async () => {
		const { run, mail, type, text, send, sendElsewhere, mailer, documents, drafts } = situation();
		await run('forge.lists.reply', mail);
		await type('Yes.\n');
		const [about] = documents.opened;
		assert.ok(about);
		const left = text();
		const answer = Promise.withResolvers<string>();
		stubbed.laterAnswers.push(answer.promise);
		const asked = send();
		await eventually(async () => stubbed.shown.at(-1), 'Send 1 message?');
		stubbed.answers.push('Send');
		await sendElsewhere();
		// The document in this window still has the text.
		Object.assign(documents, { textOf: () => left });
		answer.resolve('Send');
		await assert.rejects(asked, isAbort);
		assert.match(stubbed.shown.at(-1) ?? '', /^This was changed or sent since it was prepared/);
		await run('forge.lists.sendMail', draftUri(about));
		assert.match(stubbed.shown.at(-1) ?? '', /^This message was sent or discarded in another window\./);
		assert.deepEqual([mailer.sent.length, drafts.all()], [1, []]);
	});

	test('includes text typed during the preparation, in each way of sending', async () => {
		const { run, mail, type, send, mailer, documents, text } = situation();
		await run('forge.lists.reply', mail);
		await type('Yes.\n');
		const { identity } = mailer;
		const [about] = documents.opened;
		assert.ok(about);
		const before = text();
		Object.assign(mailer, {
			identity: async (...args: Parameters<typeof identity>) => {
				documents.type(about, `${before}And more.\n`);
				return identity(...args);
			},
		});
		stubbed.answers.push('Other Ways…', 'Copy Text', undefined);
		await send();
		assert.match(stubbed.copied.join(), /\nYes\.\nAnd more\.\n$/);
		stubbed.answers.push('Send');
		await send();
		assert.match(mailer.sent[0]?.source ?? '', /\nYes\.\nAnd more\.\n$/);
	});

	test('asks about long lines and about an unquoted patch, and changes nothing else', async () => {
		const { run, mail, type, send, mailer } = situation();
		await run('forge.lists.reply', mail);
		const words = Array.from({ length: 30 }, (_, at) => `word${at}`).join(' ');
		const patch = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+two\n';
		await type(`${words}  \n\n${patch}`);
		stubbed.answers.push('Send Anyway', 'Send As It Is', 'Other Ways…', 'Copy Text', undefined);
		await send();
		assert.ok(stubbed.copied.at(-1)?.endsWith(`\n${words}  \n\n${patch}`), stubbed.copied.at(-1));
		stubbed.answers.push('Send Anyway', 'Wrap Long Lines', 'Send');
		await send();
		assert.match(mailer.sent[0]?.source ?? '', /\nword0 .{50,66}\nword\d+ [^]*\n\ndiff --git a\/a b\/a\n/);
	});

	test('keeps text typed after the message was handed over, despite an old "Discard"', async () => {
		const { run, mail, type, send, mailer, text } = situation();
		mailer.isAllowed = false;
		await run('forge.lists.reply', mail);
		await type('Yes.\n');
		const answer = Promise.withResolvers<string>();
		stubbed.laterAnswers.push(answer.promise);
		stubbed.answers.push('Copy Text');
		await send();
		await eventually(async () => stubbed.shown.at(-1)?.startsWith('Copied 1 message.'), true);
		await type('And more.\n');
		answer.resolve('Discard Draft');
		await eventually(async () => stubbed.shown.at(-1), 'The draft was changed since, so it is kept.');
		assert.match(text(), /And more\./);
	});

	test('warns on discard that the message may already have been sent', async () => {
		const { run, mail, type, send, mailer, documents, drafts } = situation();
		await run('forge.lists.reply', mail);
		await type('Yes.\n');
		mailer.outcomes.push({ kind: 'unsure', complaint: 'Connection closed' });
		stubbed.answers.push('Send');
		await send();
		const [about] = documents.opened;
		assert.ok(about);
		stubbed.answers.push('Discard');
		await run('forge.lists.discardMail', draftUri(about));
		assert.match(stubbed.details.at(-1) ?? '', /^It may have been sent already/);
		assert.deepEqual(drafts.all(), []);
	});

	test('discards the suggested change with its comment', async () => {
		const { run, connectionKey, documents, drafts } = situation();
		const of = { connectionKey, ref: { list: list, id: 2 } };
		const place = {
			kind: 'lines',
			messageId: '<m21@forge.test>',
			file: 0,
			side: 'new',
			firstLine: 41,
			line: 41,
		} as const;
		const suggestion = { firstLine: 41, rows: ['-a', '+b'] };
		await keepComment(drafts, of, { id: 's', place, text: 'Better so:', suggestion }, 2);
		const about = reviewSubject(of, { kind: 'comment', id: 's', place });
		await documents.open(about);
		stubbed.answers.push('Discard');
		await run('forge.lists.discardMail', draftUri(about));
		assert.deepEqual([drafts.all(), documents.opened], [[], []]);
	});

	test('sends nothing without a confirmation or with an invalid recipient', async () => {
		const { run, mail, type, send, mailer, documents, drafts } = situation();
		await run('forge.lists.reply', mail);
		await type('Yes.\n');
		stubbed.answers.push(undefined);
		await assert.rejects(send(), isAbort);
		const [about] = documents.opened;
		assert.ok(about);
		await drafts.keep(about, { text: 'To: nobody\nSubject: a\n\ntext', atMs: 3 });
		await send();
		assert.match(stubbed.shown.at(-1) ?? '', /No message can be sent to this: nobody\./);
		assert.equal(mailer.sent.length, 0);
	});

	test('addresses a new message to the list, and asks for an unknown address', async () => {
		const { run, connectionKey, text } = situation({ isPosted: false });
		stubbed.answers.push(posting);
		await run('forge.lists.newMail', { kind: 'list', connectionKey, ref: list });
		assert.equal(text(), `To: ${posting}\nCc: \nSubject: \n\n\n`);
	});

	test('saves a comment on a whole patch as a draft of the review', async () => {
		const { run, connectionKey, documents, drafts, type } = situation();
		const patchset = { kind: 'patchset', connectionKey, ref: { list, id: 2 } };
		stubbed.answers.push('Series (cover letter)');
		await run('forge.review.comment', patchset);
		await type('Please split it.');
		const { comments } = reviewDraft(drafts, { connectionKey, ref: { list: list, id: 2 } });
		assert.deepEqual(
			[comments.map(({ text, place }) => [text, place]), documents.opened.length],
			[[['Please split it.', { kind: 'mail', messageId: '<m20@forge.test>' }]], 1],
		);
	});

	test('offers the cover letter of a single patch for a comment, and asks nothing from its row', async () => {
		const { run, connectionKey, documents, world } = situation();
		const [cover, first, ...others] = world.series.get(2) ?? [];
		assert.ok(cover && first);
		world.series.set(2, [cover, first]);
		world.mails.splice(0, world.mails.length, ...world.mails.filter((each) => !others.includes(each)));
		const about = (): unknown[] =>
			documents.opened.map((each) => each.kind === 'review' && each.part.kind === 'comment' && each.part.place);
		const patchset = { kind: 'patchset', connectionKey, ref: { list, id: 2 } };
		stubbed.answers.push('Series (cover letter)');
		await run('forge.review.comment', patchset);
		assert.deepEqual(about(), [{ kind: 'mail', messageId: '<m20@forge.test>' }]);
		for (const id of [20, 21]) {
			await run('forge.review.comment', { kind: 'mail', connectionKey, list, id, messageId: `<m${id}@forge.test>` });
		}
		assert.deepEqual(
			about(),
			['<m20@forge.test>', '<m20@forge.test>', '<m21@forge.test>'].map((messageId) => ({ kind: 'mail', messageId })),
		);
		assert.deepEqual(stubbed.asked, ['Choose a patch']);
	});
});

/** A fault at one step of a send, counted from 1. Steps: before and after each write to disk and each message. */
interface MailFault {
	readonly at: number;
	readonly way: 'killed' | 'failed' | 'full';
}

suite('a message with a fault at each step', () => {
	setup(resetStub);

	async function someTurns(): Promise<void> {
		for (let turn = 0; turn < 40; turn += 1) {
			await new Promise((resolve) => void setImmediate(resolve));
		}
	}

	async function sendWith(fault: MailFault): Promise<readonly string[]> {
		resetStub();
		const made = situation();
		const { run, mail, type, send, sendElsewhere, mailer, world, drafts } = made;
		await run('forge.lists.reply', mail);
		await type('Yes.\n');
		const about = made.about();
		const subject = draftUri(about);
		const steps: string[] = [];
		const delivered = (): number => world.mails.filter(({ id }) => id >= 40).length;
		let isOver = false;
		let isFull = false;

		async function step(name: string): Promise<void> {
			if (isOver) {
				return;
			}
			steps.push(name);
			isFull ||= steps.length === fault.at && fault.way === 'full';
			if (steps.length === fault.at && fault.way === 'killed') {
				await new Promise<never>(() => undefined);
			}
			if (steps.length === fault.at && fault.way === 'failed') {
				throw new Error('EIO');
			}
		}

		const before = { drafts: { ...drafts }, mailer: { ...mailer } };
		Object.assign(drafts, {
			async keep(...args: Parameters<typeof drafts.keep>) {
				await step('keep');
				assert.ok(!isFull || args[1].text === '', 'ENOSPC');
				await before.drafts.keep(...args);
				await step('kept');
			},
			async forget(...args: Parameters<typeof drafts.forget>) {
				await step('forget');
				await before.drafts.forget(...args);
				await step('forgotten');
			},
		});
		Object.assign(mailer, {
			async send(...args: Parameters<typeof mailer.send>) {
				try {
					await step('git');
				} catch {
					return { kind: 'notSent', trouble: 'unreachable', complaint: '' };
				}
				const outcome = await before.mailer.send(...args);
				const messageId = /^Message-ID: (.*)$/m.exec(args[0].source)?.[1] ?? '';
				world.mails.push({ ...replyMail(40 + delivered(), 31, 'Yes.\n'), messageId });
				return step('git ended').then(
					() => outcome,
					() => ({ kind: 'unsure', complaint: 'Connection closed' }),
				);
			},
		});
		stubbed.answers.push('Send');
		let isEnded = false;
		void send()
			.catch((error: unknown) => stubbed.shown.push(String(error)))
			.finally(() => (isEnded = true));
		await someTurns();
		const place = `step ${fault.at} (${steps.at(fault.at - 1)}) ${fault.way}`;
		assert.ok(isEnded || fault.way === 'killed', `${place}: it hangs`);
		const told = stubbed.shown.slice(stubbed.shown.indexOf('Send 1 message?') + 1).join(' ');
		if (isEnded) {
			assert.match(
				told,
				delivered() === 1 ? /Message sent|Sent 1 message|isn't known/ : /Your draft is kept|The outbox sends 1 message/,
				place,
			);
			assert.ok(delivered() === 1 || !/sent[. ]/i.test(told.replace('certainly not sent', '')), `${place}: ${told}`);
		}
		assert.ok(delivered() === 1 || drafts.draft(about) !== undefined, `${place}: the draft is lost`);
		isOver = true;
		isFull = false;
		stubbed.answers.length = 0;
		const isUnsure = about.kind === 'mail' && keptAlone(drafts, about) !== undefined;
		stubbed.answers.push(...(isUnsure && delivered() === 0 ? ['Send Again'] : []), 'Send');
		await (isEnded ? run('forge.lists.sendMail', subject) : sendElsewhere(about));
		const texts = (): readonly string[] =>
			drafts.all().flatMap(({ about: { kind }, draft }) => (kind === 'mail' ? [draft.text] : []));
		assert.deepEqual([delivered(), texts(), made.queued()], [1, [], []], `${place}: after another try`);
		await run('forge.lists.reply', mail);
		await type('No.\n');
		stubbed.answers.splice(0, Infinity, 'Send');
		await sendElsewhere();
		assert.deepEqual([delivered(), drafts.all()], [2, []], `${place}: after another reply`);
		return steps;
	}

	test('is delivered once, with a correct report', async () => {
		const steps = await sendWith({ at: 0, way: 'failed' });
		assert.ok(steps.length > 6, steps.join(', '));
		for (const way of ['killed', 'failed', 'full'] as const) {
			for (let at = 1; at <= steps.length; at += 1) {
				await sendWith({ at, way });
			}
		}
	});
});
