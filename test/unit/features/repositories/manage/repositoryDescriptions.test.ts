import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import { fakeLists, listConnection } from '../../../../support/fakeLists.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { createOwned, descriptionComplaint, nameComplaint } =
	await import('../../../../../src/editor/owned/newOwned.ts');
const { listKind } = await import('../../../../../src/features/lists/subjects/listKind.ts');
const { repositoryKind } = await import('../../../../../src/features/repositories/subjects/repositoryKind.ts');

const never = new AbortController().signal;

suite('names and descriptions of repositories', () => {
	setup(resetStub);

	test('have other length limits than those of lists', async () => {
		const text = (length: number): string => 'x'.repeat(length);
		const said = (complaint: string | undefined): string | undefined => /\d+/.exec(complaint ?? '')?.[0];
		assert.deepEqual(
			[1024, 1025].map((length) => said(descriptionComplaint(repositoryKind, text(length)))),
			[undefined, '1024'],
		);
		assert.deepEqual(
			[2047, 2048].map((length) => said(descriptionComplaint(listKind, text(length)))),
			[undefined, '2047'],
		);
		const name = (length: number): string | undefined => nameComplaint(repositoryKind, text(length), []);
		assert.deepEqual([256, 257].map(name).map(said), [undefined, '256']);
		const unmade = new Map();
		const create = (): Promise<unknown> => createOwned(listKind, unmade, listConnection(fakeLists().api), never);
		// The name is valid, and the user closes the next question.
		stubbed.answers.push(text(128), undefined);
		await assert.rejects(create(), isAbort);
		assert.deepEqual([stubbed.asked.length, stubbed.shown], [2, []]);
		stubbed.answers.push(text(129));
		await assert.rejects(create(), isAbort);
		assert.deepEqual(stubbed.shown.map(said), ['128']);
	});
});
