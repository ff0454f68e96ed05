import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { codeDocument } from '../../../support/codeDocument.ts';
import { standFor } from '../../../support/standFor.ts';
import { resetStub } from '../../../support/vscodeValues.ts';

const { workActions } = await import('../../../../src/app/shell/shell.ts');

/** Whether a line offers a ticket. */
function isOffered(line: string): boolean {
	const range = standFor<vscode.Range>({ start: { line: 0 }, end: { line: 0 } });
	const context = standFor<vscode.CodeActionContext>({ diagnostics: [] });
	const token = standFor<vscode.CancellationToken>({});
	const document = codeDocument('/code/wick.c', line);
	const actions = workActions().provideCodeActions(document, range, context, token);
	return standFor<readonly unknown[]>(actions).length > 0;
}

suite('words for open tasks', () => {
	setup(resetStub);

	test('are separate words in capitals', () => {
		const lines = ['// TODO: trim', '# FIXME trim', '/*XXX*/', 'HACK(alice)', '//TODO'];
		assert.deepEqual(
			lines.filter((line) => !isOffered(line)),
			[],
		);
		const others = ['TODOS = []', 'NO_TODO_HERE', 'int maxXXXL', '// todo: trim', 'SHACK', 'HACKER'];
		assert.deepEqual(others.filter(isOffered), []);
	});
});
