import type { Email } from 'sourcehut/port/list.ts';
import { fakeLists, listConnection } from '../support/fakeLists.ts';
import { makeList, makeMail, makePatchset } from '../support/makeMail.ts';
import { mailStores } from '../support/mailStores.ts';
import { systemClock } from '../../src/app/accounts/systemClock.ts';
import { ListStore } from '../../src/store/lists/listStore.ts';
import { keptNames } from '../support/fakeConnection.ts';
import { journalInMemory } from '../support/journalInMemory.ts';
import type { Connection } from '../../src/store/connection.ts';

export const largeList = { owner: '~alice', name: 'devel' } as const;
const never = new AbortController().signal;

/** Sizes of a made series. */
export interface SeriesSizes {
	readonly patches: number;
	readonly filesEach: number;
	/** Added lines of each file. */
	readonly linesEach: number;
	readonly replies: number;
	readonly commentsEach: number;
}

/** A series with replies on its lines, loaded. */
export async function largeReview(sizes: SeriesSizes): Promise<Connection> {
	const { patches, replies, commentsEach, filesEach } = sizes;
	const all = Array.from({ length: patches }, (_, at) => patchMail(at, sizes));
	const answers = Array.from({ length: replies }, (_, at) => {
		const to = Math.floor((at * patches) / replies);
		const comments = Array.from({ length: commentsEach }, (_, comment) => {
			const number = at * commentsEach + comment;
			const file = number % filesEach;
			const line = Math.floor(number / filesEach) % sizes.linesEach;
			return [`> ${addedLine(to, file, line)}`, '', `Remark ${number}: why does *this* lamp burn \`here\`?`, ''];
		});
		return mailOf(patches + 1 + at, to + 1, `Re: ${subjectOf(to, patches)}`, comments.flat());
	});
	return await loaded([...all, ...answers], all);
}

/** A thread of this many mails, in the form of a long discussion. */
export async function largeThread(mails: number): Promise<Connection> {
	const all = Array.from({ length: mails }, (_, at) =>
		at === 0
			? mailOf(1, undefined, 'Lamps', ['Which lamps?'])
			: mailOf(at + 1, Math.max(1, at - (at % 7)), 'Re: Lamps', [
					'On Monday, Bob Builder wrote:',
					`> Answer ${at - 1} about the lamps.`,
					'> They burn.',
					'',
					`Answer ${at} about the lamps, see https://forge.test/lamps/${at} for the rest.`,
					'A second line of the same answer, as people write them.',
				]),
	);
	return await loaded(all, []);
}

async function loaded(mails: readonly Email[], patches: readonly Email[]): Promise<Connection> {
	const { world, api } = fakeLists();
	world.lists.push(makeList());
	world.mails.push(...mails);
	world.series.set(1, [...patches]);
	world.patchsets.set('~alice/devel', patches.length === 0 ? [] : [makePatchset({ id: 1, subject: 'lamps' })]);
	const plain = listConnection(api);
	const lists = new ListStore({ journal: journalInMemory(), api, me: '~alice', followed: keptNames() });
	const connection = { ...plain, lists, ...mailStores({ lists, forge: plain.forge, clock: systemClock }) };
	if (patches.length > 0) {
		await connection.lists.patchset({ list: largeList, id: 1 }, never);
		await connection.reviews.read({ list: largeList, id: 1 }, never);
	}
	return connection;
}

function subjectOf(at: number, of: number): string {
	return of === 1 ? '[PATCH] lamps' : `[PATCH ${at + 1}/${of}] lamps: part ${at + 1}`;
}

function addedLine(patch: number, file: number, line: number): string {
	return `+\tlamp_${patch}_${file}_${line} = burn(wick_${line}, ${line});`;
}

function patchMail(at: number, { patches, filesEach, linesEach }: SeriesSizes): Email {
	const diff = Array.from({ length: filesEach }, (_, file) => [
		`diff --git a/src/room${at % 20}/lamp${at}_${file}.c b/src/room${at % 20}/lamp${at}_${file}.c`,
		'new file mode 100644',
		'index 0000000..1111111',
		'--- /dev/null',
		`+++ b/src/room${at % 20}/lamp${at}_${file}.c`,
		`@@ -0,0 +1,${linesEach} @@`,
		...Array.from({ length: linesEach }, (_, line) => addedLine(at, file, line)),
	]);
	const lines = [`Why part ${at + 1} is right, in a sentence.`, '', '---', ...diff.flat(), '-- ', '2.43.0'];
	return mailOf(at + 1, at === 0 ? undefined : 1, subjectOf(at, patches), lines, true);
}

function mailOf(
	id: number,
	parentId: number | undefined,
	subject: string,
	lines: readonly string[],
	isPatch = false,
): Email {
	const head = `From: Bob Builder <bob@forge.test>\r\nSubject: ${subject}\r\nMessage-ID: <m${id}@forge.test>\r\n`;
	const envelope = `${head}Content-Type: text/plain; charset=utf-8\r\n\r\n${lines.join('\r\n')}\r\n`;
	const threadId = parentId === undefined ? undefined : 1;
	const list = { name: largeList.name, owner: makeList().owner };
	return makeMail({ id, subject, envelope, isPatch, parentId, threadId, list, patchsetId: isPatch ? 1 : undefined });
}
