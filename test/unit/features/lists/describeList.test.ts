import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { isForgeError } from '../../../../src/forge/forgeError.ts';
import { codeDocument } from '../../../support/codeDocument.ts';
import { fakeConnections } from '../../../support/fakeConnection.ts';
import { fakeLists, listConnection } from '../../../support/fakeLists.ts';
import { makeList } from '../../../support/makeMail.ts';
import { standFor } from '../../../support/standFor.ts';
import { provided, resetStub, stubbed, Uri } from '../../../support/vscodeValues.ts';

const { listDescriptions } = await import('../../../../src/features/lists/own/describeList.ts');

const never = new AbortController().signal;

function kept(name: string): vscode.TextDocument {
	const uri = standFor<vscode.Uri>(Uri.from({ scheme: 'untitled', authority: '', path: name }));
	return codeDocument(name, 'Written before', { uri });
}

suite('a description of a list that the editor kept over a reload', () => {
	setup(() => resetStub());

	test('can still be sent, and whether to put it over another one is asked', async () => {
		const { world, api } = fakeLists();
		world.lists.push(makeList({ description: 'Something else' }));
		const descriptions = listDescriptions(fakeConnections(listConnection(api)));
		const { uri } = kept('~alice\u2215devel (sample-alice).md');
		assert.ok(descriptions.holds(uri));
		await descriptions.save(uri, never);
		assert.deepEqual(world.calls, ['list ~alice/devel']);
		stubbed.answers.push('Save All the Same');
		await descriptions.save(uri, never);
		assert.deepEqual(
			stubbed.shown.slice(0, 2),
			Array(2).fill('The description of ~alice/devel is another one and may have been changed meanwhile.'),
		);
		assert.equal(world.lists[0]?.description, 'Written before');
		descriptions.dispose();
	});

	test('is not sent for an account that signed out, and that is told', async () => {
		const descriptions = listDescriptions(fakeConnections());
		const { uri } = kept('~alice\u2215devel (sample-alice).md');
		await assert.rejects(
			descriptions.save(uri, never),
			(error) => isForgeError(error) && error.problem.kind === 'notSignedIn',
		);
		descriptions.dispose();
	});

	test("has its line to send it as soon as its account is there; texts of other names and others' lists have none", () => {
		const all = fakeConnections(listConnection(fakeLists().api));
		const descriptions = listDescriptions(all);
		const provider = standFor<vscode.CodeLensProvider>(provided.get('lenses'));
		const counts = [
			'~alice\u2215devel (sample-alice).md',
			'~bob\u2215devel (sample-alice).md',
			'~alice\u2215devel (x).md',
			'a.md',
		].map((name) => {
			const found = provider.provideCodeLenses(kept(name), standFor<vscode.CancellationToken>({}));
			return Array.isArray(found) ? found.length : 0;
		});
		assert.deepEqual(counts, [1, 0, 0, 0]);
		descriptions.dispose();
	});
});
