import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { DraftPlace } from 'patchmail/review/reviewDraft.ts';
import type { Sending } from 'patchmail/review/sending.ts';
import type { CommandId } from '../../../../../src/commands/table.ts';
import type { CommentThreads } from '../../../../../src/features/review/comments/commentThreads.ts';
import type { TypedComments } from '../../../../../src/features/review/reply/commentBoxes.ts';
import {
	keepComment,
	keepMailEdit,
	keepSending,
	reviewDraft,
	reviewSubject,
} from '../../../../../src/store/drafts/reviewDrafts.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { fakeMailDrafts } from '../../../../support/fakeMailDrafts.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';
import { eventually } from '../../../../support/eventually.ts';
import { versionWorld } from '../../../../support/versionWorld.ts';

const { replyFeature } = await import('../../../../../src/features/review/reply/replyFeature.ts');
const { reviewUri } = await import('../../../../../src/features/lists/subjects/reviewUri.ts');

const never = new AbortController().signal;

/** The first version with drafts: on a line that stays, one that changes, and one that the second version hides. */
async function situation() {
	const world = versionWorld();
	const { connection } = world;
	const parts = listsParts(fakeConnections(connection));
	const { drafts } = parts;
	const documents = fakeMailDrafts(drafts);
	const { commands, previews } = replyFeature(
		{ ...parts, mailDrafts: documents },
		fake<CommentThreads>({}),
		fake<TypedComments>({ added: () => undefined, editEnded: () => undefined }),
	);
	const review = (id: number) => ({ connectionKey: connection.key, ref: { ...world.ref, id } });
	const messageIdOf = async (id: number, at: number): Promise<string> => {
		const { series } = await connection.reviews.read(review(id).ref, never);
		return series.patches[at]?.mail.messageId ?? assert.fail();
	};
	const messageId = await messageIdOf(7, 1);
	const place = (file: number, line: number): DraftPlace =>
		({ kind: 'lines', messageId, file, side: 'new', firstLine: line, line }) as const;
	const write = (id: string, at: DraftPlace, text: string): Promise<void> =>
		keepComment(drafts, review(7), { id, place: at, text }, 1);
	await write('same', place(0, 29), 'Why this line?');
	await write('changed', place(0, 30), 'Write the number out.');
	await write('lost', place(1, 20), 'Does this belong here?');
	return {
		...world,
		...parts,
		documents,
		connection,
		review,
		place,
		messageIdOf,
		write,
		run: async (command: CommandId, id: number) => commands[command]?.({ kind: 'patchset', ...review(id) }, never, []),
		preview: async (id: number) => new TextDecoder().decode(await previews.readFile(reviewUri(review(id)))),
		textsOf: (id: number) =>
			reviewDraft(drafts, review(id))
				.comments.map(({ text }) => text)
				.toSorted(),
	};
}

suite('moving draft comments to a newer version', () => {
	setup(resetStub);

	test('leaves those without a place there, and opens the newer version', async () => {
		const { run, textsOf } = await situation();
		await run('forge.review.moveDrafts', 8);
		assert.deepEqual(textsOf(7), ['Does this belong here?']);
		assert.deepEqual(textsOf(8), ['Why this line?', 'Write the number out.']);
		assert.deepEqual(stubbed.executed, ['forge.patchsets.open']);
		assert.deepEqual(stubbed.shown, ['Draft comments moved to v2: 2. Kept where they are: 1.']);
	});

	test('makes the mails quote the newer version, and warns of changed lines before sending', async () => {
		const { run, preview } = await situation();
		assert.match(await preview(7), /^v2 of this patchset is newer\. /m);
		await run('forge.review.moveDrafts', 7);
		const shown = await preview(8);
		assert.match(shown, /In-Reply-To: <m82@forge\.test>/);
		assert.match(shown, /^> \+FOLD THIRTY\n(?:> .*\n)*\nWrite the number out\.$/m);
		assert.doesNotMatch(shown, /FOLD 30|is newer/);
		assert.match(shown, /^The lines of some comments changed since an earlier version\. Check these comments: 1\.$/m);
	});

	test('can be undone by the notice and by command, with the present texts', async () => {
		const { run, textsOf, drafts, review, messageIdOf } = await situation();
		stubbed.answers.push('Undo');
		await run('forge.review.moveDrafts', 8);
		await eventually(async () => textsOf(8), []);
		assert.deepEqual(textsOf(7), ['Does this belong here?', 'Why this line?', 'Write the number out.']);
		await run('forge.review.moveDrafts', 8);
		const [same] = reviewDraft(drafts, review(8)).comments.filter(({ id }) => id === 'same');
		assert.equal(same?.place.messageId, await messageIdOf(8, 1));
		await keepComment(drafts, review(8), { ...same, text: 'Why, again?' }, 5);
		await run('forge.review.moveDraftsBack', 8);
		assert.deepEqual(
			[textsOf(8), textsOf(7)],
			[[], ['Does this belong here?', 'Why, again?', 'Write the number out.']],
		);
		await assert.rejects(run('forge.review.moveDraftsBack', 8), isAbort);
	});

	test('takes the text of an open document along, and closes it', async () => {
		const { run, textsOf, documents, review, place } = await situation();
		const about = reviewSubject(review(7), { kind: 'comment', id: 'same', place: place(0, 29) });
		await documents.open(about);
		documents.type(about, 'Why exactly this line?');
		await run('forge.review.moveDrafts', 8);
		assert.deepEqual(textsOf(8), ['Why exactly this line?', 'Write the number out.']);
		assert.deepEqual(documents.opened, []);
	});

	test('leaves drafts with an unfinished edit, an edited mail, or a mail on its way', async () => {
		const typed = await situation();
		await typed.write('typed-same', typed.place(0, 29), 'Why this li');
		await typed.run('forge.review.moveDrafts', 8);
		assert.deepEqual(typed.textsOf(8), ['Write the number out.']);
		const edited = await situation();
		const { messageId } = edited.place(0, 29);
		const madeFrom = { text: 'To: a@b.test', comments: [] };
		await keepMailEdit(edited.drafts, edited.review(7), messageId, { text: 'To: c@d.test', madeFrom }, 1);
		await edited.run('forge.review.moveDrafts', 8);
		assert.deepEqual(edited.textsOf(8), []);
		const sending = await situation();
		const mail: Sending[number] = {
			messageId: '<a@b>',
			answers: messageId,
			comments: [],
			progress: { kind: 'unsure', complaint: '' },
		};
		await keepSending(sending.drafts, sending.review(7), [mail], 1);
		await sending.run('forge.review.moveDrafts', 8);
		assert.deepEqual([sending.textsOf(8), sending.textsOf(7).length], [[], 3]);
		assert.match(stubbed.shown.at(-1) ?? '', /^No draft comment can move to v2\./);
	});
});
