import assert from 'node:assert/strict';
import type { Hunk } from '../../src/patch/fileDiff.ts';
import { hunkLines } from '../../src/patch/hunkLines.ts';
import { replyCorpus, type CorpusThread, type Label } from '../../../../test/support/replyCorpus.ts';

/** The text of a patch line, counted from the hunk header. */
function textOfLine({ series, nameOf }: CorpusThread, place: Extract<Label['place'], { kind: 'line' }>): string {
	const patch = series.patches.find(({ mail }) => nameOf.get(mail.id) === place.patch)?.patch;
	const file = patch?.diff.files.find(({ newPath, oldPath }) => (newPath ?? oldPath) === place.path);
	const hunks = file?.content.kind === 'text' ? file.content.hunks : [];
	return hunks.map((hunk) => textIn(hunk, patch?.diffText ?? '', place)).find((text) => text !== undefined) ?? '';
}

function textIn(
	hunk: Hunk,
	diffText: string,
	{ side, line }: { readonly side: 'old' | 'new'; readonly line: number },
): string | undefined {
	const lines = [...hunkLines(diffText, hunk)].filter(({ kind }) => kind !== (side === 'old' ? 'added' : 'removed'));
	return lines[line - (side === 'old' ? hunk.oldStart : hunk.newStart)]?.text;
}

function wordsOf(text: string): string {
	return text.split(/\s+/).join(' ');
}

suite('labels of the reply corpus', () => {
	let threads: readonly CorpusThread[] = [];
	suiteSetup(async () => {
		threads = await replyCorpus();
	});

	test('cover 100 replies of six mailers with 300 comments, half of them held out', () => {
		const replies = threads.flatMap((thread) => thread.replies);
		assert.ok(replies.length >= 100, String(replies.length));
		assert.ok(replies.flatMap(({ labels }) => labels).length >= 300);
		assert.deepEqual([...new Set(replies.map(({ mailer }) => mailer))].toSorted(), [
			'aerc',
			'apple',
			'gmail',
			'mutt',
			'outlook',
			'plain',
			'thunderbird',
		]);
		assert.equal(threads.filter(({ isHeldOut }) => isHeldOut).length * 2, threads.length);
	});

	test('begin each comment with its words, in the order of the mail', () => {
		for (const { name, mail, labels } of threads.flatMap(({ replies }) => replies)) {
			const text = mail.reading.kind === 'read' ? wordsOf(mail.reading.mail.text) : '';
			let at = 0;
			assert.notEqual(labels.length, 0, name);
			for (const { words } of labels) {
				const found = text.indexOf(words, at);
				assert.ok(found >= at, `${name}: ${words}`);
				at = found + words.length;
			}
		}
	});

	test('give each line the number that the patch counts, and each message its words', () => {
		for (const thread of threads) {
			for (const { name, labels } of thread.replies) {
				for (const { words, place } of labels) {
					if (place.kind === 'line') {
						const text = textOfLine(thread, place);
						assert.ok(text !== '' && text.includes(place.text), `${name}: ${words}: ${place.line} is "${text}"`);
					} else if (place.kind === 'message' || place.kind === 'cover') {
						const mail = thread.mails.find(({ id }) => thread.nameOf.get(id) === place.mail);
						const text = mail?.reading.kind === 'read' ? mail.reading.mail.body : '';
						assert.ok(
							text.split('\n').some((line) => line.includes(place.text)),
							`${name}: ${words}`,
						);
					}
				}
			}
		}
	});
});
