import '../../../../support/vscodeStub.ts';
import type { CommandId } from '../../../../../src/commands/table.ts';
import type { Email } from 'sourcehut/port/list.ts';
import type { TypedComments } from '../../../../../src/features/review/reply/commentBoxes.ts';
import type { CommentThreads } from '../../../../../src/features/review/comments/commentThreads.ts';
import type { DraftPlace, ReviewPart } from 'patchmail/review/reviewDraft.ts';
import type { Drafts } from '../../../../../src/store/drafts/drafts.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { listsParts, noPages } from '../../../../support/fakeListsParts.ts';
import { fakeMailDrafts } from '../../../../support/fakeMailDrafts.ts';
import { fakeMailer } from '../../../../support/fakeMailer.ts';
import { patchsetWorld, replyMail } from '../../../../support/patchsetWorld.ts';
import { toldSent } from '../../../../support/toldSent.ts';

const { replyFeature } = await import('../../../../../src/features/review/reply/replyFeature.ts');
const { reviewUri } = await import('../../../../../src/features/lists/subjects/reviewUri.ts');
const { reviewDraft, reviewSubject } = await import('../../../../../src/store/drafts/reviewDrafts.ts');

const never = new AbortController().signal;
/** The mailing list of the patchset. */
export const list = { owner: '~alice', name: 'devel' };
/** The list's address. */
export const posting = '~alice/devel@lists.forge.test';
/** Message-ID of the first patch. */
export const line: DraftPlace = {
	kind: 'lines',
	messageId: '<m21@forge.test>',
	file: 0,
	side: 'new',
	firstLine: 41,
	line: 41,
};

/** Adds the list's address to a mail. */
function posted(mail: Email, to: string): Email {
	return { ...mail, envelope: `List-Post: <mailto:${to}>\r\n${mail.envelope}` };
}

interface SituationWish {
	readonly postedTo?: string;
	readonly me?: string;
	/** Drafts of a window; in memory by default. */
	readonly drafts?: Drafts;
}

/** A patchset of four patches with one reply, and a review of it. */
export function situation({ postedTo = posting, me = '~alice', drafts: given }: SituationWish = {}) {
	const { api, world } = patchsetWorld(me);
	const reply = replyMail(31, 21, '> -\treturn list[at];\n\nWhy not keep it?\n');
	world.mails.push(postedTo === '' ? reply : posted(reply, postedTo));
	const connection = listConnection(api, me);
	const told = toldSent(connection);
	const pages = { ...noPages, dispose: () => undefined, inFront: () => undefined };
	const parts = { ...listsParts(fakeConnections(connection)), pages, ...(given ? { drafts: given } : {}) };
	const { drafts } = parts;
	const mailer = fakeMailer();
	let count = 0;
	const documents = fakeMailDrafts(drafts);
	const openWindow = () =>
		replyFeature(
			{ ...parts, mailer, mailDrafts: documents, newName: () => `id${(count += 1)}` },
			fake<CommentThreads>({}),
			fake<TypedComments>({ added: () => undefined, editEnded: () => undefined }),
		);
	const { commands, previews } = openWindow();
	const of = { connectionKey: connection.key, ref: { list: list, id: 2 } };
	const patchset = { kind: 'patchset', connectionKey: connection.key, ref: { list, id: 2 } };
	return {
		world,
		connection,
		told,
		drafts,
		mailer,
		documents,
		of,
		patchset,
		run: async (command: CommandId, subject: unknown = patchset) => commands[command]?.(subject, never, []),
		/** In another window, or in the same after a reload. */
		runElsewhere: async (command: CommandId) => openWindow().commands[command]?.(patchset, never, []),
		write: (part: ReviewPart, text: string) => drafts.keep(reviewSubject(of, part), { text, atMs: 1 }),
		preview: async () => new TextDecoder().decode(await previews.readFile(reviewUri(of))),
		onDidChangePreview: previews.onDidChangeFile,
		comments: () => reviewDraft(drafts, of).comments.map(({ text }) => text),
		keptStatus: () => reviewDraft(drafts, of).status,
		/** The forge's version of the patchset. */
		status: () => world.patchsets.get('~alice/devel')?.find(({ id }) => id === 2)?.status,
		statusActs: parts.statuses.history,
		/** True if the patchset needs attention. */
		isNew: () => {
			const patchset = connection.lists.knownPatchset({ list, id: 2 });
			return patchset !== undefined && parts.finder.marks.patchset(connection, list, patchset) !== undefined;
		},
	};
}

/** Two drafts, on two patches. */
export async function written(me = '~alice'): Promise<ReturnType<typeof situation>> {
	const made = situation({ me });
	await made.write({ kind: 'comment', id: 'a', place: line }, 'May be NULL.');
	await made.write({ kind: 'comment', id: 'b', place: { kind: 'mail', messageId: '<m22@forge.test>' } }, 'Fine.');
	return made;
}
