import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { PatchView } from '../../../../../src/editor/patchDocuments/patchUri.ts';
import { readPlainMail } from 'patchmail/mail/mailReader.ts';
import { quotableLines, rangeOf } from 'patchmail/review/quotableLines.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import type { SeriesPatch } from 'patchmail/series/seriesReading.ts';
import { makeSeriesMail, patchText } from '../../../../support/makeSeries.ts';
import { replyCorpus } from '../../../../support/replyCorpus.ts';

const { commentableRanges, draftPlaceAt, lineOfDraft, targetPlace } =
	await import('../../../../../src/features/review/comments/documentPlaces.ts');
const { comparedFiles } = await import('../../../../../src/editor/patchDocuments/patchDiffs.ts');
const { placeOfPatchUri } = await import('../../../../../src/editor/patchDocuments/patchUri.ts');
const { contentOf } = await import('../../../../../src/editor/patchDocuments/patchFiles.ts');

const owner = { connectionKey: 'alice', list: { owner: '~alice', name: 'devel' }, patchsetId: 1 };

/** A document that shows a patch. */
function shownAs({ mail, patch }: SeriesPatch, view: PatchView) {
	const content = contentOf({ subject: mail.subject, reading: mail.reading, patch }, view, undefined);
	assert.ok(content);
	const document = {
		place: { ...owner, mailId: mail.id, view },
		lines: content.lines,
		patch,
		messageId: mail.messageId,
		isSideBySide: true,
	};
	return { document, text: new TextDecoder().decode(content.bytes()).split('\n') };
}

/** All document views of a patch. */
function viewsOf({ mail, patch }: SeriesPatch): readonly PatchView[] {
	const files = comparedFiles({ ...owner, mailId: mail.id, patch, number: '' });
	const uris = files.flatMap(([, before, after]) => [before, after]);
	return [...uris.flatMap((uri) => (uri && placeOfPatchUri(uri)?.view) ?? []), { kind: 'raw' }];
}

/** Asserts that each line with a box is quotable and keeps its comment. Returns the number of lines. */
function assertQuoted(patch: SeriesPatch, view: PatchView, name: string): number {
	const { document, text } = shownAs(patch, view);
	const quotable = quotableLines(patch.mail, patch);
	const isSigned = view.kind === 'raw' || view.kind === 'asItCame';
	const boxed = commentableRanges(document, text.length).flatMap(({ start, end }) =>
		Array.from({ length: end - start + 1 }, (_, at) => start + at),
	);
	for (const line of boxed) {
		const place = targetPlace(undefined, { start: line, end: line }, document);
		const range = place && rangeOf(place, quotable);
		const quoted = range && quotable[range.last]?.text;
		assert.equal((isSigned ? quoted : quoted?.slice(1))?.trimEnd(), text[line]?.trimEnd(), `${name} ${line}`);
		assert.equal(place && lineOfDraft(place, document), line, name);
	}
	const gap = text.findIndex((each) => each.startsWith('⋯'));
	assert.ok(gap === -1 || draftPlaceAt({ start: gap, end: gap }, document) === undefined);
	return boxed.length;
}

suite('drafts on documents', () => {
	test('accept a comment on each diff line of the corpus, and a reply quotes that line', async () => {
		let lines = 0;
		for (const { name, series } of await replyCorpus()) {
			for (const patch of series.patches) {
				for (const view of viewsOf(patch)) {
					lines += assertQuoted(patch, view, name);
				}
			}
		}
		assert.ok(lines >= 1000, String(lines));
	});

	test('accept comments on message lines of the raw text, but not on the statistics', async () => {
		let messages = 0;
		for (const { series } of await replyCorpus()) {
			for (const patch of series.patches) {
				const { document, text } = shownAs(patch, { kind: 'raw' });
				const places = commentableRanges(document, text.length).flatMap(({ start, end }) =>
					Array.from({ length: end - start + 1 }, (_, at) =>
						targetPlace(undefined, { start: start + at, end: start + at }, document),
					),
				);
				const on = (part: string): number =>
					places.filter((place) => place?.kind === 'text' && place.part === part).length;
				assert.equal(on('message'), patch.patch.message === '' ? 0 : patch.patch.message.split('\n').length);
				messages += on('message');
				const stat = text.findIndex((line) => /^ \d+ files? changed/.test(line));
				assert.ok(stat !== -1);
				assert.equal(targetPlace(undefined, { start: stat, end: stat }, document), undefined);
			}
		}
		assert.ok(messages >= 100, String(messages));
	});

	test('use raw text lines that end where git ends them, with control characters escaped', () => {
		const body = patchText('a.c', 'One\rline, a \0 and a \u2028.').replace('+', '+one\rline ');
		const mail = makeSeriesMail({ id: 7, messageId: '<m7@forge.test>', subject: '[PATCH] A', body });
		const patch = patchMailOf(mail.reading, '[PATCH] A');
		assert.ok(patch);
		const { text } = shownAs({ mail, patch, index: 1 }, { kind: 'raw' });
		assert.equal(text.length, body.split('\n').length);
		assert.equal(text[0], 'One␍line, a ␀ and a ⟨U+2028⟩.');
	});

	for (const lineEnd of ['\n', '\r\n']) {
		test(`number lines of the message and notes as replies do, below inner headers (${JSON.stringify(lineEnd)})`, () => {
			const raw = [
				'From: Carol <carol@forge.test>',
				'',
				'',
				'Two lines',
				'',
				'of text.',
				'',
				'---',
				'',
				'New in v2:',
				'',
				'- less',
				' a.c | 2 +-',
				' 1 file changed, 1 insertion(+), 1 deletion(-)',
				'',
				'diff --git a/a.c b/a.c',
				'--- a/a.c',
				'+++ b/a.c',
				'@@ -1 +1 @@',
				'-old',
				'+new',
				'',
			];
			const source = `From: Bob <bob@forge.test>\r\nSubject: [PATCH] A\r\n\r\n${raw.join(lineEnd)}`;
			const read = readPlainMail(source);
			assert.ok(read);
			const reading = { kind: 'read', mail: read } as const;
			const patch = patchMailOf(reading, '[PATCH] A');
			assert.ok(patch);
			const mail = makeSeriesMail({ id: 7, messageId: '<m7@forge.test>', subject: '[PATCH] A', reading });
			const series = { mail, patch, index: 1 };
			assert.equal(assertQuoted(series, { kind: 'raw' }, 'raw'), 8);
			const { document } = shownAs(series, { kind: 'raw' });
			const placesOf = (lines: readonly number[]): unknown =>
				lines.map((line) => {
					const place = targetPlace(undefined, { start: line, end: line }, document);
					return place?.kind === 'text' ? [place.part, place.line] : place?.kind;
				});
			assert.deepEqual(placesOf([0, 2, 3, 5, 7, 8, 9, 11, 12, 13, 19]), [
				undefined,
				undefined,
				['message', 1],
				['message', 3],
				undefined,
				undefined,
				['commentary', 1],
				['commentary', 3],
				undefined,
				undefined,
				'lines',
			]);
		});
	}

	test('use the last of several message lines, or the diff lines if the selection includes any', async () => {
		const [thread] = await replyCorpus();
		const patch = thread?.series.patches[0];
		assert.ok(patch);
		const { document, text } = shownAs(patch, { kind: 'raw' });
		const last = text.findIndex((line) => line.trimEnd() === '---') - 1;
		const place = targetPlace(undefined, { start: 0, end: last + 1 }, document);
		const { messageId } = document;
		const lines = patch.patch.message.split('\n').length;
		assert.deepEqual(place, { kind: 'text', messageId, part: 'message', line: lines });
		assert.equal(place && lineOfDraft(place, document), last);
		const all = targetPlace(undefined, { start: 0, end: text.length }, document);
		assert.equal(all?.kind, 'lines');
		const { document: file } = shownAs(patch, { kind: 'after', fileIndex: 0 });
		assert.equal(place && lineOfDraft(place, file), 0, 'where only a file is shown it stands above that');
	});

	test('accept comments on each line of a whole file, numbered from the patch’s lines', async () => {
		const [thread] = await replyCorpus();
		const patch = thread?.series.patches[0];
		assert.ok(patch);
		const { document: hunks } = shownAs(patch, { kind: 'after', fileIndex: 0 });
		const [first] = hunks.lines;
		assert.ok(first);
		const number = draftPlaceAt({ start: first.line, end: first.line }, hunks)?.line;
		assert.ok(number);
		// The found file has three more lines above.
		const view = { kind: 'wholeAfter', fileIndex: 0, content: 'a'.repeat(40), repository: undefined } as const;
		const lines = hunks.lines.map((each) => ({ ...each, line: each.line + 3 }));
		const document = { ...hunks, place: { ...hunks.place, view }, lines };
		const above = first.line + 2;
		const { messageId } = hunks;
		assert.deepEqual(commentableRanges(document, 900), [{ start: 0, end: 899 }]);
		assert.deepEqual(draftPlaceAt({ start: above - 1, end: above }, document), {
			kind: 'lines',
			messageId,
			file: 0,
			side: 'new',
			firstLine: number - 2,
			line: number - 1,
		});
		for (const line of [above, first.line + 3, 800]) {
			const place = draftPlaceAt({ start: line, end: line }, document);
			assert.equal(place && lineOfDraft(place, document), line);
		}
		const outside = draftPlaceAt({ start: 800, end: 800 }, document);
		assert.deepEqual(
			[outside && lineOfDraft(outside, hunks), outside && lineOfDraft({ ...outside, side: 'old' }, document)],
			[0, undefined],
			'what only the whole file shows stands above the first line where only hunks are shown',
		);
	});

	test('show each draft once in a diff, also on removed lines, whatever its width', async () => {
		let removed = 0;
		for (const { name, series } of await replyCorpus()) {
			for (const patch of series.patches) {
				const views = viewsOf(patch).filter(({ kind }) => kind !== 'raw');
				for (const { document, text } of views.map((view) => shownAs(patch, view))) {
					for (const line of text.keys()) {
						const place = draftPlaceAt({ start: line, end: line }, document);
						const isRemoved = place?.side === 'old' && document.patch.diff.files[place.file]?.newPath !== undefined;
						removed += isRemoved && document.place.view.kind === 'before' ? 1 : 0;
						for (const isSideBySide of [true, false]) {
							const shown = views.flatMap((view) => {
								const other = { ...shownAs(patch, view).document, isSideBySide };
								return (place && lineOfDraft(place, other)) ?? [];
							});
							assert.equal(shown.length, place ? 1 : 0, `${name} ${line} ${isSideBySide}`);
						}
					}
				}
			}
		}
		assert.ok(removed > 50, String(removed));
	});

	test('on removed lines are beside the added line that a narrow diff shows in its place', () => {
		const diff = ['@@ -1,7 +1,5 @@', ' a', '-one', '-two', '-three', '+ONE', '+TWO', ' b', '-four', ' c', ''];
		const body = ['Shout.', '---', 'diff --git a/a.c b/a.c', '--- a/a.c', '+++ b/a.c', ...diff].join('\n');
		const mail = makeSeriesMail({ id: 7, messageId: '<m7@forge.test>', subject: '[PATCH] A', body });
		const patch = patchMailOf(mail.reading, '[PATCH] A');
		assert.ok(patch);
		const { document, text } = shownAs({ mail, patch, index: 1 }, { kind: 'after', fileIndex: 0 });
		const beside = [2, 3, 4, 6].map((line) => {
			const place = {
				kind: 'lines',
				messageId: '<m7@forge.test>',
				file: 0,
				side: 'old',
				firstLine: line,
				line,
			} as const;
			return text[lineOfDraft(place, { ...document, isSideBySide: false }) ?? -1];
		});
		assert.deepEqual(beside, ['ONE', 'TWO', 'TWO', 'c']);
	});

	test('use the first and the last of several lines on one side', async () => {
		const [thread] = await replyCorpus();
		const patch = thread?.series.patches[0];
		assert.ok(patch);
		const { document } = shownAs(patch, { kind: 'asItCame', fileIndex: 0 });
		const added = document.lines.findIndex(({ kind }) => kind === 'added');
		const [before, last] = [document.lines[0], document.lines[added]];
		assert.ok(before && last);
		const place = draftPlaceAt({ start: before.line, end: last.line }, document);
		assert.deepEqual([place?.side, (place?.line ?? 0) > (place?.firstLine ?? 0)], ['new', true]);
	});
});
