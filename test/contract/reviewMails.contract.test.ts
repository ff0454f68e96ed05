import assert from 'node:assert/strict';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import { sendMail } from 'hardened-git/sendMail.ts';
import { mailForGit } from 'patchmail/mail/outgoingMail.ts';
import { quotableLines } from 'patchmail/review/quotableLines.ts';
import { postingAddress } from 'patchmail/review/replyPeople.ts';
import { reviewComments } from 'patchmail/review/reviewComments.ts';
import type { DraftComment, DraftLines } from 'patchmail/review/reviewDraft.ts';
import { reviewReplies } from 'patchmail/review/reviewReplies.ts';
import { plannedSending, sendWaiting } from 'patchmail/review/sending.ts';
import type { SeriesPatch } from 'patchmail/series/seriesReading.ts';
import { ListStore } from '../../src/store/lists/listStore.ts';
import type { PatchsetReview } from '../../src/store/lists/patchsets/patchsetReview.ts';
import { protocolSuite, wanted } from '../support/contractForge.ts';
import { keptNames } from '../support/fakeConnection.ts';
import { testMachine, type TestMachine } from '../support/localMachine.ts';
import { mailStores } from '../support/mailStores.ts';
import { journalInMemory } from '../support/journalInMemory.ts';

const devel: ListRef = { owner: '~alice', name: 'lantern-devel' };
const alice = { name: 'Alice Archer', address: 'alice@forge.test' };

protocolSuite('a submitted review', { firstIn: 'graphql' }, ({ forge }) => {
	let machine: TestMachine;
	setup(() => {
		machine = testMachine();
	});
	teardown(() => machine.remove());

	/** The patchset, loaded with an empty cache. */
	async function standing(subject: string): Promise<PatchsetReview> {
		const client = forge().as('alice');
		const lists = new ListStore({ journal: journalInMemory(), api: client.lists, me: '~alice', followed: keptNames() });
		const { items } = await lists.patchsets(devel).first(wanted());
		const found = items.find((each) => each.subject === subject);
		assert.ok(found, subject);
		return await mailStores({ lists, forge: client }).reviews.read({ list: devel, id: found.id }, wanted());
	}

	/** Comments on every third line of a patch, and on the whole patch. */
	function commentsOn(patch: SeriesPatch): readonly DraftComment[] {
		const { messageId } = patch.mail;
		const places = quotableLines(patch.mail, patch).flatMap(({ origin, old, fresh, text }): readonly DraftLines[] => {
			const line = fresh ?? old;
			return origin.kind === 'line' && line !== undefined && text.trim().length > 1 && line % 3 === 0
				? [{ kind: 'lines', messageId, file: origin.file, side: origin.side, firstLine: line, line }]
				: [];
		});
		const onLines = places.slice(0, 8).map((place, at) => ({ id: `${messageId} ${at}`, place, text: `Größe ${at}?` }));
		const whole = { id: messageId, place: { kind: 'mail', messageId } as const, text: 'Thanks!' };
		return [...onLines, whole].map((comment) => ({ ...comment, suggestion: undefined }));
	}

	test('sent by git appears below its patches, on its lines, with its trailer and status', async () => {
		const { smtp } = forge().sample;
		assert.ok(smtp);
		for (const [name, value] of [
			['smtpServer', smtp.host],
			['smtpServerPort', String(smtp.port)],
			['smtpDomain', 'alice.test'],
		] as const) {
			machine.plain(machine.home, 'config', '--global', `sendemail.${name}`, value);
		}
		const before = await standing('plugins: a sandbox');
		const readable = before.mails.flatMap(({ reading }) => (reading.kind === 'read' ? [reading.mail] : []));
		const posting = postingAddress(devel, readable, undefined);
		assert.equal(posting?.address, '~alice/lantern-devel@lists.forge.test');
		const { series, mails: thread } = before;
		const [first] = series.patches;
		assert.ok(first);
		const review = {
			comments: series.patches.flatMap(commentsOn),
			trailers: new Map([[first.mail.messageId, 'Acked-by' as const]]),
			status: 'approved',
			edits: new Map(),
		};
		let count = 0;
		const { replies, lost } = runAtOnce(
			reviewReplies(review, {
				from: alice,
				own: [alice.address],
				posting: posting.address,
				thread,
				series,
				newMessageId: () => `<review-${(count += 1)}@alice.test>`,
				nowMs: Date.UTC(2026, 10, 22),
			}),
		);
		assert.deepEqual([lost, replies.flatMap(({ astray }) => astray), replies.length], [[], [], series.patches.length]);
		const sent = await sendWaiting(
			plannedSending(replies),
			{
				send: async (messageId, signal) => {
					const mail = replies.map((reply) => reply.mail).find((each) => each.messageId === messageId);
					const forGit = mail && mailForGit(mail);
					assert.ok(forGit);
					return await sendMail({ git: machine.git, tempFolder: machine.folder, askPass: undefined }, forGit, signal);
				},
				keep: async () => undefined,
			},
			wanted(),
		);
		assert.deepEqual(new Set(sent.map(({ progress }) => progress.kind)), new Set(['sent']));

		const after = await standing('plugins: a sandbox');
		const own = after.mails.filter(({ messageId }) => messageId.endsWith('@alice.test>'));
		assert.equal(own.length, series.patches.length);
		assert.deepEqual(new Set(own.map(({ parentId }) => parentId)), new Set(series.patches.map(({ mail }) => mail.id)));
		const found = runAtOnce(reviewComments(after.mails, after.series)).filter(({ mail }) => own.includes(mail));
		for (const { place, text } of review.comments) {
			const patch = series.patches.find(({ mail }) => mail.messageId === place.messageId);
			const there = found.filter((each) => each.place.kind !== 'elsewhere' && each.place.mailId === patch?.mail.id);
			assert.ok(
				there.some(
					(each) =>
						each.prose.startsWith(text) &&
						(place.kind === 'lines'
							? each.place.kind === 'line' &&
								each.place.file === place.file &&
								each.place.side === place.side &&
								each.place.line === place.line
							: each.place.kind === 'general'),
				),
				`${text} ${JSON.stringify(place)}`,
			);
		}
		assert.ok(
			after.trailers.some(
				({ key, person, patchIndexes }) =>
					key === 'Acked-by' && person.address === alice.address && patchIndexes.join() === String(first.index),
			),
		);
		assert.deepEqual([before.patchset.status, after.patchset.status], ['needs_revision', 'approved']);
		// A reply is no patch even if it quotes one.
		assert.equal(after.series.patches.length, series.patches.length);
	});
});
