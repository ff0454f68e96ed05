import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { PatchFiles } from '../../../../../src/editor/patchDocuments/patchFiles.ts';
import type { CommandId } from '../../../../../src/commands/table.ts';
import { blobId } from 'patchmail/patch/blobId.ts';
import type { PatchView } from '../../../../../src/editor/patchDocuments/patchUri.ts';
import type { Drafts } from '../../../../../src/store/drafts/drafts.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { fakeMailDrafts } from '../../../../support/fakeMailDrafts.ts';
import { patchsetWorld } from '../../../../support/patchsetWorld.ts';
import { stubbedDocuments } from '../../../../support/stubbedDocuments.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { suggestCommands } = await import('../../../../../src/features/review/reply/suggestChange.ts');
const { patchFiles } = await import('../../../../../src/editor/patchDocuments/patchFiles.ts');
const { patchUri, placeOfPatchUri } = await import('../../../../../src/editor/patchDocuments/patchUri.ts');
const { inexactChange, suggestedChange } = await import('patchmail/review/fixUp.ts');
const { draftUri } = await import('../../../../../src/features/tickets/drafts/draftUri.ts');
const { reviewDraft, reviewSubject } = await import('../../../../../src/store/drafts/reviewDrafts.ts');

const never = new AbortController().signal;
const list = { owner: '~alice', name: 'devel' };
const of = { connectionKey: 'sample-alice', ref: { list: list, id: 2 } };

/** The file after patch 1. The patch shows its lines 40 to 43. */
const shownLines = ['\tint at = 0;', '\tstruct fold *found = tree_find(line);', '\treturn found;', '}'];
const proposed = [
	...Array.from({ length: 39 }, (_, at) => `above ${at + 1}`),
	...shownLines,
	...Array.from({ length: 17 }, (_, at) => `below ${at + 44}`),
].map((line) => `${line}\n`);

/** The view of a whole file with these bytes in git. */
const wholeOf = (inGit: string): PatchView => ({
	kind: 'wholeAfter',
	fileIndex: 0,
	content: blobId(inGit),
	repository: undefined,
});

interface Given {
	readonly view?: PatchView;
	/** How many additional lines the found file has above those of the patch. */
	readonly shift?: number;
	readonly lines?: readonly string[];
	/** The file’s content in git, if it differs from the shown one. */
	readonly inGit?: (shown: string) => string;
}

function situation({ view, shift = 0, lines = proposed, inGit = (shown) => shown }: Given = {}) {
	const { api } = patchsetWorld();
	const connection = listConnection(api);
	assert.equal(connection.key, of.connectionKey);
	const parts = listsParts(fakeConnections(connection));
	const uriOf = (each: PatchView) =>
		patchUri({ connectionKey: connection.key, list, patchsetId: 2, mailId: 21, view: each }, 'src/fold.c');
	const real = patchFiles(parts);
	const before = [...Array.from({ length: shift }, (_, at) => `more ${at}\n`), ...lines];
	const uri = uriOf(view ?? wholeOf(inGit(before.join(''))));
	const files = {
		/** Skips the search for whole files: places the hunks’ lines where the patch says. */
		async lines(asked: typeof uri, signal: AbortSignal) {
			const place = placeOfPatchUri(asked);
			if (place?.view.kind !== 'wholeAfter') {
				return real.lines(asked, signal);
			}
			const hunks = await real.lines(uriOf({ kind: 'after', fileIndex: 0 }), signal);
			const [first] = hunks?.lines ?? [];
			const move = 39 + shift - (first?.line ?? 0);
			return { place, lines: (hunks?.lines ?? []).map((each) => ({ ...each, line: each.line + move })) };
		},
	};
	stubbedDocuments.open.push({
		uri,
		isDirty: false,
		getText: () => before.join(''),
		save: async () => true,
	});
	const { drafts } = parts;
	const documents = fakeMailDrafts(drafts);
	const names = Array.from({ length: 9 }, (_, at) => `id ${at + 1}`);
	let keeping: Drafts['keep'] = (...given) => drafts.keep(...given);
	const commands = suggestCommands(
		{
			...parts,
			mailDrafts: documents,
			drafts: { ...drafts, keep: (...given) => keeping(...given) },
			newName: () => names.shift() ?? '',
		},
		fake<PatchFiles>(files),
	);
	const about = reviewSubject(of, { kind: 'suggestedFile', document: uri.toString() });
	return {
		uri,
		before,
		documents,
		drafts,
		about,
		commands,
		run: async (command: CommandId, subject: unknown) => commands[command]?.(subject, never, []),
		/** Changes the file as the user does. */
		write: (lines: readonly string[]) => drafts.keep(about, { text: lines.join(''), atMs: 1 }),
		/** URI of the copy. */
		copy: draftUri(about),
		comments: () => reviewDraft(drafts, of).comments.toSorted((a, b) => a.id.localeCompare(b.id)),
		failFrom: (count: number) => {
			let left = count;
			keeping = (...given) => {
				left -= 1;
				return left < 0 ? Promise.reject(new Error('The disk is full')) : drafts.keep(...given);
			};
		},
	};
}

const place = { kind: 'lines', messageId: '<m21@forge.test>', file: 0, side: 'new' } as const;

suite('suggesting a change', () => {
	setup(resetStub);
	setup(() => void stubbedDocuments.open.splice(0));

	test('opens a copy of the changed file, from the diff title and from a line', async () => {
		const { run, uri, documents, about } = situation();
		await run('forge.review.suggestChange', uri);
		await run('forge.review.suggestChange', { uri, lineNumber: 41 });
		assert.deepEqual(documents.opened, [about, about]);
	});

	test('makes a draft comment from the difference on its lines, and closes the copy', async () => {
		const { run, uri, write, copy, comments, documents, drafts, about } = situation();
		await run('forge.review.suggestChange', uri);
		await write(proposed.with(40, '\tstruct fold *found = tree_at(line);\n'));
		await run('forge.review.addSuggestions', copy);
		assert.deepEqual(comments(), [
			{
				id: 'id 1',
				place: { ...place, firstLine: 41, line: 41 },
				text: 'Suggested change:',
				suggestion: {
					firstLine: 38,
					rows: [
						' above 38',
						' above 39',
						' \tint at = 0;',
						'-\tstruct fold *found = tree_find(line);',
						'+\tstruct fold *found = tree_at(line);',
						' \treturn found;',
						' }',
						' below 44',
					],
				},
			},
		]);
		assert.deepEqual([documents.opened, drafts.draft(about)], [[], undefined]);
	});

	for (const [what, inGit] of [
		['has CR LF line endings', (shown: string) => shown.replaceAll('\n', '\r\n')],
		['has other bytes in git than shown', (shown: string) => `${shown}\u2028`],
	] as const) {
		test(`warns that a change may not apply to a file that ${what}`, async () => {
			const { before, write, run, copy, comments } = situation({ inGit });
			await write(before.with(40, '\tstruct fold *found = tree_at(line);\n'));
			await run('forge.review.addSuggestions', copy);
			assert.deepEqual(
				comments().map(({ text }) => text),
				[inexactChange],
			);
		});
	}

	test('warns only for hunks with characters that email does not preserve', async () => {
		const lines = proposed.with(50, '\f\n');
		const { before, write, run, copy, comments } = situation({ lines });
		await write(before.with(10, 'first\n').with(51, 'other\n'));
		await run('forge.review.addSuggestions', copy);
		assert.deepEqual(
			comments().map(({ text }) => text),
			[suggestedChange, inexactChange],
		);
	});

	test('makes one draft per hunk, with the line numbers of the patch', async () => {
		const { run, before, write, copy, comments } = situation({ shift: 5 });
		await write(before.toSpliced(60, 2).with(44, '\tint at = 1;\n').toSpliced(10, 0, 'added\n'));
		await run('forge.review.addSuggestions', copy);
		assert.deepEqual(
			comments().map(({ place: on, suggestion }) => [
				on.kind === 'lines' && [on.firstLine, on.line],
				suggestion?.firstLine,
				suggestion?.rows.filter((row) => !row.startsWith(' ')),
			]),
			[
				[[5, 5], 3, ['+added']],
				[[40, 40], 37, ['-\tint at = 0;', '+\tint at = 1;']],
				[[56, 57], 53, ['-below 56', '-below 57']],
			],
		);
	});

	test('reports a copy without changes, and a missing copy', async () => {
		const { run, uri, documents, copy, comments } = situation();
		await run('forge.review.suggestChange', uri);
		await run('forge.review.addSuggestions', copy);
		assert.equal(documents.opened.length, 1, 'the copy stays open');
		await run('forge.review.addSuggestions', uri);
		assert.deepEqual(comments(), []);
		assert.match(
			stubbed.shown.join('\n'),
			/Nothing is different in this file yet\.\nOpen the file in which you suggest/,
		);
	});

	for (const view of [{ kind: 'after', fileIndex: 0 }, { kind: 'before', fileIndex: 0 }, { kind: 'raw' }] as const) {
		test(`suggests a line comment instead for the ${view.kind} view`, async () => {
			const { run, uri, documents } = situation({ view });
			await run('forge.review.suggestChange', uri);
			assert.deepEqual(documents.opened, []);
			assert.match(stubbed.shown.join(), /only in a whole file .* Comment on the line instead/);
		});
	}

	test('adds drafts once despite a double click or a copy that fails to close', async () => {
		const { before, write, copy, run, comments, documents } = situation();
		await write(before.with(0, 'first\n').with(50, 'other\n'));
		documents.failures.push(new Error('The tab stays'));
		const first = run('forge.review.addSuggestions', copy);
		await run('forge.review.addSuggestions', copy);
		await assert.rejects(first, /The tab stays/);
		assert.equal(comments().length, 2);
		await run('forge.review.addSuggestions', copy);
		assert.equal(comments().length, 2);
	});

	test('adds nothing if the user types in between, and everything on the next call', async () => {
		const { before, write, copy, run, comments, documents, about } = situation();
		const typed = [before.with(0, 'first\n'), before.with(0, 'first of all\n'), before.with(0, 'first again\n')];
		await write(typed[0] ?? []);
		const real = { ...documents };
		for (const readings of [1, 2]) {
			let left = readings;
			Object.assign(documents, { textOf: () => ((left -= 1) >= 0 ? real.textOf(about) : 'typed since') });
			await run('forge.review.addSuggestions', copy);
			assert.match(stubbed.shown.at(-1) ?? '', /^No suggested change was saved, because you went on typing/);
			assert.deepEqual(comments(), []);
		}
		Object.assign(documents, real);
		await write(typed[2] ?? []);
		await run('forge.review.addSuggestions', copy);
		assert.equal(comments().length, 1);
	});

	test('adds no draft if the disk fails in between, so a retry adds each once', async () => {
		const { run, before, write, copy, comments, failFrom, documents, drafts, about } = situation();
		await write(before.with(0, 'first\n').with(50, 'other\n'));
		const text = drafts.draft(about)?.text;
		failFrom(3);
		await assert.rejects(run('forge.review.addSuggestions', copy), /disk is full/);
		assert.deepEqual([comments(), documents.textOf(about)], [[], text]);
		failFrom(99);
		await run('forge.review.addSuggestions', copy);
		assert.equal(comments().length, 2);
	});
});
