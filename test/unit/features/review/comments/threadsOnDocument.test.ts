import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { reviewComments } from 'patchmail/review/reviewComments.ts';
import { reviewThreads } from 'patchmail/review/reviewThreads.ts';
import { replyCorpus } from '../../../../support/replyCorpus.ts';

const { threadsOnDocument } = await import('../../../../../src/features/review/comments/documentPlaces.ts');
const { comparedFiles } = await import('../../../../../src/editor/patchDocuments/patchDiffs.ts');
const { placeOfPatchUri } = await import('../../../../../src/editor/patchDocuments/patchUri.ts');
const { contentOf } = await import('../../../../../src/editor/patchDocuments/patchFiles.ts');

/** The line of a diff that ends at `end`, without its sign. */
function diffLine(diffText: string, end: number): string {
	return diffText.slice(diffText.lastIndexOf('\n', end - 1) + 2, end);
}

suite('threads on documents', () => {
	test('appear once per patch thread of the corpus, on the right line', async () => {
		let onLines = 0;
		for (const { name, series, mails } of await replyCorpus()) {
			const threads = reviewThreads(runAtOnce(reviewComments(mails, series)), series);
			const placed = series.patches.flatMap(({ mail, patch }) => {
				const place = { connectionKey: 'alice', list: { owner: '~alice', name: 'devel' }, patchsetId: 1 };
				const files = comparedFiles({ ...place, mailId: mail.id, patch, number: '' });
				const views = files.flatMap(([, before, after]) =>
					[before, after].flatMap((uri) => (uri && placeOfPatchUri(uri)?.view) ?? []),
				);
				return views.flatMap((view) => {
					const content = contentOf({ subject: mail.subject, reading: mail.reading, patch }, view, undefined);
					assert.ok(content);
					const document = {
						place: { ...place, mailId: mail.id, view },
						lines: content.lines,
						patch,
						messageId: mail.messageId,
						isSideBySide: true,
					};
					const text = new TextDecoder().decode(content.bytes()).split('\n');
					return threadsOnDocument(threads, document).map((each) => {
						const line =
							each.thread.place.kind === 'line' ? diffLine(patch.diffText, each.thread.place.end) : undefined;
						assert.equal(line ?? text[each.line], text[each.line], name);
						return each;
					});
				});
			});
			const patches = new Set(series.patches.map(({ mail }) => mail.id));
			const expected = threads.filter(({ place }) => 'mailId' in place && patches.has(place.mailId ?? 0));
			const keys = placed.map(({ thread }) => thread.key);
			assert.deepEqual(keys.toSorted(), expected.map(({ key }) => key).toSorted(), name);
			onLines += placed.filter(({ thread }) => thread.place.kind === 'line').length;
		}
		assert.ok(onLines >= 100, String(onLines));
	});
});
