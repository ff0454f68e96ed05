import assert from 'node:assert/strict';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { openQuestions } from '../../src/review/openQuestions.ts';
import type { LinePlace, ReviewComment } from '../../src/review/reviewComment.ts';
import { reviewComments } from '../../src/review/reviewComments.ts';
import { createRandom } from '../../../../test/support/random.ts';
import { readSeries } from '../../src/series/series.ts';
import type { SeriesMail, SeriesReading } from '../../src/series/seriesReading.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { mutateText } from '../../../../test/support/mutateText.ts';
import { replyCorpus, type CorpusThread } from '../../../../test/support/replyCorpus.ts';

const oddParts: [string, ...string[]] = [
	'>',
	'> > > >',
	'> ',
	'\n',
	'\r\n',
	'\0',
	'\u2028',
	'\u202E',
	'[...]',
	'-- \n',
	'@@ -1,3 +1,3 @@\n',
	'@@ -9999999999 +0 @@\n',
	'diff --git a/__proto__ b/constructor\n',
	'--- a/x\n+++ b/x\n',
	'From: a\nSent: 2026\nSubject: b\n',
	'On 2026, a wrote:\n',
	'&amp;'.repeat(200),
	'> '.repeat(2000),
	'=',
	'?',
	'\uD800',
];
const rounds = counts({ small: 100, full: 20_000 });

/** Asserts that a range ends with a whole line of its hunk. */
function assertInside({ patches }: SeriesReading, place: LinePlace): void {
	const patch = patches.find(({ mail }) => mail.id === place.mailId)?.patch;
	assert.ok(patch, 'the patch is there');
	const content = patch.diff.files[place.file]?.content;
	const hunk = content?.kind === 'text' ? content.hunks[place.hunk] : undefined;
	assert.ok(hunk, 'the hunk is there');
	// An empty context line may lack its blank.
	assert.ok(place.firstLine <= place.line && place.start <= place.end, 'the range has an order');
	assert.ok(hunk.start <= place.start && place.end <= hunk.end, 'the range is in the hunk');
	const end = patch.diffText[place.end];
	assert.ok(end === undefined || end === '\n', 'the range ends where a line does');
}

function assertSound(comments: readonly ReviewComment[], series: SeriesReading): void {
	const before = new Set<ReviewComment>();
	for (const comment of comments) {
		assert.notEqual(comment.prose.trim(), '', 'something is said');
		assert.ok(comment.answers === undefined || before.has(comment.answers), 'what is answered comes first');
		if (comment.place.kind === 'line') {
			assertInside(series, comment.place);
		}
		before.add(comment);
	}
	assert.ok([...openQuestions(comments)].every((question) => before.has(question)));
}

suite('hostile replies', function () {
	this.timeout(600_000);
	let threads: readonly CorpusThread[] = [];
	suiteSetup(async () => {
		threads = await replyCorpus();
	});

	test(`give a sound reading in ${rounds} conversations of damaged patches and replies`, () => {
		const random = createRandom(seed());
		const bodyOf = ({ reading }: SeriesMail): string => (reading.kind === 'read' ? reading.mail.body : '');
		const [first, ...others] = threads.flatMap(({ mails }) => mails.map(bodyOf));
		assert.ok(first !== undefined);
		for (let round = 0; round < rounds; round++) {
			const thread = threads[random.below(threads.length)];
			assert.ok(thread);
			const mails = thread.mails.map((mail) =>
				changed(mail, random.chance(40) ? mutateText(random, [first, ...others], oddParts) : undefined),
			);
			const parts = new Set(thread.nameOf.keys());
			const series = readSeries(mails.filter(({ id }) => parts.has(id)));
			assertSound(runAtOnce(reviewComments(mails, series)), series);
		}
	});
});

function changed(mail: SeriesMail, body: string | undefined): SeriesMail {
	return body === undefined || mail.reading.kind === 'raw'
		? mail
		: { ...mail, reading: { kind: 'read', mail: { ...mail.reading.mail, body, text: body } } };
}
