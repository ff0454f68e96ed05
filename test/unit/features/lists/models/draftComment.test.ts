import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { fakeDrafts, quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { hostileTexts } from '../../../../support/hostileTexts.ts';
import { deceiving, patchsetWorld } from '../../../../support/patchsetWorld.ts';
import { standFor } from '../../../../support/standFor.ts';
import { codeBlock } from '../../../../../src/engine/text/codeBlock.ts';

const { ToolInputError } = await import('../../../../../src/editor/models/toolInput.ts');
const { listTools } = await import('../../../../../src/features/lists/models/listTools.ts');
const { reviewDraft } = await import('../../../../../src/store/drafts/reviewDrafts.ts');

const patchset = '~alice/devel/patches/2';
const line = { patchset, patch: 1, file: 'src/fold.c', line: 41, text: 'May be *NULL*.' };

const noToken = standFor<vscode.CancellationToken>({
	isCancellationRequested: false,
	onCancellationRequested: () => ({ dispose: () => undefined }),
});

function situation() {
	const { api, world } = patchsetWorld();
	const connection = listConnection(api);
	const drafts = fakeDrafts();
	let count = 0;
	const parts = {
		connections: fakeConnections(connection),
		problems: quietProblems,
		clock: fakeClock(),
		drafts,
		newName: () => `draft ${(count += 1)}`,
	};
	const tool = listTools.forge_addDraftComment(parts);
	const of = { connectionKey: connection.key, ref: { list: { owner: '~alice', name: 'devel' }, id: 2 } };
	const prepare = async (input: object) => tool.prepareInvocation?.(standFor({ input }), noToken);
	/** Title and text of the confirmation. */
	const question = async (input: object): Promise<{ readonly title: string; readonly text: string }> => {
		const asked = (await prepare(input))?.confirmationMessages;
		assert.ok(asked && typeof asked.message !== 'string');
		assert.equal(asked.message.isTrusted, false);
		return { title: asked.title, text: asked.message.value };
	};
	return {
		world,
		prepare,
		invoke: async (input: object) => tool.invoke(standFor({ input, toolInvocationToken: undefined }), noToken),
		question,
		review: () => reviewDraft(drafts, of),
	};
}

suite('draft comment from a language model', () => {
	test('shows its place and exact text, and becomes a draft after the confirmation', async () => {
		const { question, invoke, review, world } = situation();
		const { title, text } = await question(line);
		assert.equal(title, 'Add a draft comment to ~alice/devel/patches/2?');
		assert.match(text, /On line 41 of src\\\/fold\\\.c after patch 1\\\/4/);
		assert.ok(text.includes(codeBlock('+\tstruct fold *found = tree_find(line);')), text);
		assert.ok(text.endsWith(codeBlock(line.text)), text);
		assert.deepEqual(review().comments, [], 'nothing is kept before somebody agrees');
		const calls = world.calls.length;
		await invoke(line);
		assert.deepEqual(review().comments, [
			{
				id: 'draft 1',
				place: { kind: 'lines', messageId: '<m21@forge.test>', file: 0, side: 'new', firstLine: 41, line: 41 },
				text: line.text,
				suggestion: undefined,
			},
		]);
		assert.equal(world.calls.length, calls, 'nothing goes to the forge');
	});

	test('is on a removed line for the old side', async () => {
		const { question, invoke, review } = situation();
		const { text } = await question({ ...line, side: 'old' });
		assert.match(text, /On line 41 of src\\\/fold\\\.c before patch 1\\\/4/);
		assert.ok(text.includes(codeBlock('-\treturn list[at];')), text);
		await invoke({ ...line, side: 'old' });
		const [draft] = review().comments;
		assert.ok(draft?.place.kind === 'lines');
		assert.equal(draft.place.side, 'old');
		for (const other of [
			{ ...line, patch: 2, file: 'src/fold.h', side: 'old', line: 1 },
			{ ...line, patch: 2, file: 'src/fold_tree.h', line: 1 },
		]) {
			await question(other);
			await invoke(other);
		}
		assert.deepEqual(
			review()
				.comments.toSorted((a, b) => a.id.localeCompare(b.id))
				.map(({ place }) => place.kind === 'lines' && [place.messageId, place.file, place.side]),
			[
				['<m21@forge.test>', 0, 'old'],
				['<m22@forge.test>', 0, 'old'],
				['<m22@forge.test>', 0, 'new'],
			],
		);
	});

	test('never hides its text or a deceptive path', async () => {
		const { question } = situation();
		for (const text of [...hostileTexts, '````\n```\nx', 'a\u202Eb']) {
			if (text.trim() !== '' && text.length <= 16_384) {
				assert.ok((await question({ ...line, text })).text.endsWith(codeBlock(text)), text);
			}
		}
		const { text } = await question({ ...line, patch: 2, file: deceiving.path, line: 2 });
		assert.match(text, /⟨U\\?\+202E⟩/);
		assert.ok(!text.includes('\u202E'));
	});

	for (const [what, change, expected] of [
		['an invalid patchset', { patchset: 'devel' }, /Name the patchset/],
		['a missing patch', { patch: 9 }, /There is no patch 9\. The patchset has: 1, 2, 3\./],
		['a patch that is not a number', { patch: '1' }, /"patch" has to be a whole number/],
		['a fractional line', { line: 41.5 }, /"line" has to be a whole number/],
		['line 0', { line: 0 }, /"line" has to be a whole number/],
		['a file of another patch', { patch: 2 }, /does not change that file[^]*^\| src\/fold_tree\.h$/m],
		['an invalid side', { side: 'left' }, /"side" has to be "new" or "old"/],
		['a line that the patch does not show', { line: 50 }, /does not show line 50 .* new side.*: 40-43\./],
		[
			'a line that the patch does not remove',
			{ line: 43, side: 'old' },
			/does not show line 43 .* old side.*: 40-42\./,
		],
		['a file without lines', { patch: 2, file: 'doc/lamp.png' }, /shows no lines of this file on the new side/],
		['a missing file name', { file: '' }, /"file" is missing/],
		['a missing text', { text: ' \n' }, /"text" is missing/],
		['a text that is too long', { text: 'x'.repeat(16_385) }, /at most 16384 characters/],
	] as const) {
		test(`rejects ${what} with a hint, and saves nothing`, async () => {
			const { prepare, review } = situation();
			const isExpected = (error: unknown): boolean => error instanceof ToolInputError && expected.test(error.message);
			await assert.rejects(prepare({ ...line, ...change }), isExpected);
			assert.deepEqual(review().comments, []);
		});
	}

	test('is not saved without a shown question, or after the question expired', async () => {
		const { prepare, invoke, review } = situation();
		const isGone = { name: 'Error', message: /^Nothing was written: the question .* is gone\. Call the tool again/ };
		await assert.rejects(invoke(line), isGone);
		await prepare(line);
		for (let other = 0; other < 50; other += 1) {
			await prepare({ ...line, text: `Other ${other}` });
		}
		await assert.rejects(invoke(line), isGone);
		assert.deepEqual(review().comments, []);
	});

	test('is saved twice after two questions', async () => {
		const { prepare, invoke, review } = situation();
		await prepare(line);
		await prepare(line);
		await invoke(line);
		await invoke(line);
		await assert.rejects(invoke(line), /is gone/);
		assert.equal(review().comments.length, 2);
	});

	test('escapes hidden characters of paths in its error', async () => {
		const { prepare } = situation();
		await assert.rejects(prepare({ ...line, patch: 2, file: 'no.c' }), (error: Error) => {
			assert.match(error.message, /^\| src\/gpj\.⟨U\+202E⟩gnp\.sh$/m);
			return !error.message.includes('\u202E');
		});
	});
});
