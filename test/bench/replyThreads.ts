import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { systemClock } from '../../src/app/accounts/systemClock.ts';
import type { Email } from 'sourcehut/port/list.ts';
import { ListStore } from '../../src/store/lists/listStore.ts';
import { fakeConnections, keptNames } from '../support/fakeConnection.ts';
import { fakeLists, listConnection } from '../support/fakeLists.ts';
import { listsParts } from '../support/fakeListsParts.ts';
import { mailStores } from '../support/mailStores.ts';
import { makeList, makeMail, makePatchset } from '../support/makeMail.ts';
import { openDocument, resetStub, stubbedThreads } from '../support/vscodeValues.ts';
import { blockFigure, counted } from './figures.ts';
import { longestBlock } from './longestBlock.ts';
import type { Figure, Size } from './measurement.ts';
import { journalInMemory } from '../support/journalInMemory.ts';

const sizes = { full: { threads: 200, runs: 3 }, smallest: { threads: 5, runs: 1 } } as const;

const never = new AbortController().signal;
const list = { owner: '~alice', name: 'devel' };

/** Opens the document of a file with replies on very many of its lines, and receives one more. */
export async function measure(size: Size): Promise<readonly Figure[]> {
	const { threads, runs } = sizes[size];
	const { commentThreads } = await import('../../src/features/review/comments/commentThreads.ts');
	const { patchsetReviews } = await import('../../src/features/lists/reviewState/patchsetReviews.ts');
	const { patchFiles } = await import('../../src/editor/patchDocuments/patchFiles.ts');
	const { patchUri } = await import('../../src/editor/patchDocuments/patchUri.ts');
	const { comments } = await import('vscode');
	const blocks: number[] = [];
	for (let run = 0; run < runs; run += 1) {
		resetStub();
		const { connection, connections, late } = await busyPatchset(threads);
		const parts = { ...listsParts(connections), clock: systemClock };
		const shown = commentThreads(
			{ ...parts, reviews: patchsetReviews(systemClock) },
			patchFiles(parts),
			undefined,
			() => false,
			() => comments.createCommentController('replies', 'Replies'),
		);
		const view = { kind: 'after', fileIndex: 0 } as const;
		const uri = patchUri({ connectionKey: connection.key, list, patchsetId: 1, mailId: 1, view }, 'lamp.c');
		blocks.push(
			await longestBlock(async () => {
				openDocument({ uri });
				await shown.unfold(uri, '');
			}, 1),
		);
		assert.equal(stubbedThreads.size, threads);
		blocks.push(
			await longestBlock(async () => {
				late();
				await shown.unfold(uri, '');
			}, 1),
		);
		const said = Array.from(stubbedThreads, (thread) => thread.comments.length);
		assert.equal(said.filter((count) => count === 2).length, 1);
		shown.dispose();
	}
	const opening = Math.min(...blocks.filter((_, at) => at % 2 === 0));
	const arriving = Math.min(...blocks.filter((_, at) => at % 2 === 1));
	return [
		blockFigure(
			`${counted(threads)} comment threads on one file: longest block of the event loop`,
			Math.max(opening, arriving),
			`in ms: first sight ${opening.toFixed(1)}, one more mail ${arriving.toFixed(1)}; best of ${runs} runs, its mails read before`,
		),
	];
}

/** A patch that adds a file, and a reply to each of its lines. `late` delivers one more mail. */
async function busyPatchset(threads: number) {
	const { world, api } = fakeLists();
	const lines = Array.from({ length: threads }, (_, at) => `+\tlamp_${at} = burn(wick_${at}, ${at});`);
	const patch = mailOf(1, undefined, [
		'Many lamps.',
		'',
		'---',
		'diff --git a/lamp.c b/lamp.c',
		'new file mode 100644',
		'--- /dev/null',
		'+++ b/lamp.c',
		`@@ -0,0 +1,${threads} @@`,
		...lines,
	]);
	const said = Array.from(
		{ length: 20 },
		(_, at) => `Line ${at} of what \`somebody\` says of *this* lamp (see [${at}]).`,
	);
	const replies = lines.map((line, at) => mailOf(at + 10, 1, [`> ${line}`, '', ...said, '', 'Does it burn?']));
	const late = mailOf(threads + 10, 10, ['> Does it burn?', '', 'It does.'], 'Ann <ann@forge.test>');
	world.lists.push(makeList());
	world.mails.push(patch, ...replies);
	world.series.set(1, [patch]);
	world.patchsets.set('~alice/devel', [makePatchset({ id: 1, subject: 'lamps' })]);
	const plain = listConnection(api);
	const stored = new ListStore({ journal: journalInMemory(), api, me: '~alice', followed: keptNames() });
	const connection = {
		...plain,
		lists: stored,
		...mailStores({ lists: stored, forge: plain.forge, clock: systemClock }),
	};
	await connection.reviews.read({ list, id: 1 }, never);
	return {
		connection,
		connections: fakeConnections(connection),
		late: () => {
			world.mails.push(late);
			stored.apply({ kind: 'mailArrived', list, mail: late });
		},
	};
}

function mailOf(
	id: number,
	parentId: number | undefined,
	lines: readonly string[],
	from = 'Bob Builder <bob@forge.test>',
): Email {
	const isPatch = parentId === undefined;
	const subject = `${isPatch ? '' : 'Re: '}[PATCH] lamps`;
	const head = `From: ${from}\r\nSubject: ${subject}\r\nMessage-ID: <m${id}@forge.test>\r\n`;
	const envelope = `${head}Content-Type: text/plain; charset=utf-8\r\n\r\n${lines.join('\r\n')}\r\n`;
	return makeMail({ id, subject, envelope, isPatch, parentId, threadId: isPatch ? undefined : 1, patchsetId: 1 });
}
