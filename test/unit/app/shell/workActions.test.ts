import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { codeDocument, problemAt } from '../../../support/codeDocument.ts';
import { standFor } from '../../../support/standFor.ts';
import { resetStub } from '../../../support/vscodeValues.ts';

const { workActions } = await import('../../../../src/app/shell/shell.ts');

const [problemTitle, commentTitle] = ['New Ticket from This Problem…', 'New Ticket from This Comment…'];
const code = 'int trim(void) {\n\t// TODO: trim the wick\n\treturn 0;\n}\n';

/** Selected lines, only the first one unless there is a last one. */
interface Selected {
	readonly first: number;
	readonly last?: number;
}

function offered(
	document: vscode.TextDocument,
	{ first, last = first }: Selected,
	...diagnostics: readonly vscode.Diagnostic[]
): readonly vscode.CodeAction[] {
	const range = standFor<vscode.Range>({ start: { line: first }, end: { line: last } });
	const context = standFor<vscode.CodeActionContext>({ diagnostics });
	const actions = workActions().provideCodeActions(document, range, context, standFor<vscode.CancellationToken>({}));
	return standFor<readonly vscode.CodeAction[]>(actions);
}

function titles(actions: readonly vscode.CodeAction[]): readonly string[] {
	return actions.map(({ title }) => title);
}

suite('quick fixes that become tickets', () => {
	setup(resetStub);

	test('appear on a problem and on a comment with a task word, and nowhere else', () => {
		const document = codeDocument('/code/wick.c', code);
		const problem = problemAt(2, 'The wick is too long');
		assert.deepEqual(titles(offered(document, { first: 2 }, problem)), [problemTitle]);
		assert.deepEqual(titles(offered(document, { first: 1 })), [commentTitle]);
		assert.deepEqual(titles(offered(document, { first: 1 }, problem)), [problemTitle, commentTitle]);
		assert.deepEqual(offered(document, { first: 0 }), []);
		assert.deepEqual(offered(document, { first: 1, last: 2 }), [], 'a comment among other lines');
		assert.deepEqual(offered(document, { first: 9 }), [], 'a line that is gone');
	});

	test('pass the problem’s position, text and source', () => {
		const document = codeDocument('/code/wick.c', code);
		const handed = (about: Partial<vscode.Diagnostic>): unknown => {
			const [action] = offered(document, { first: 3 }, problemAt(2, 'Too long\nTrim it', about), problemAt(3, 'Other'));
			assert.equal(action?.kind, 'quickfix');
			assert.equal(action.command?.command, 'forge.tickets.newFromHere');
			return action.command.arguments;
		};
		const subject = { kind: 'here', uri: 'file:///code/wick.c', line: 2, problem: 'Too long\nTrim it' };
		assert.deepEqual(handed({}), [subject]);
		assert.deepEqual(handed({ source: 'gcc', code: '-Wwick' }), [{ ...subject, origin: 'gcc(-Wwick)' }]);
		const target = standFor<vscode.Uri>({});
		assert.deepEqual(handed({ source: 'tsc', code: { value: 2322, target } }), [{ ...subject, origin: 'tsc(2322)' }]);
		assert.deepEqual(handed({ source: 'gcc' }), [{ ...subject, origin: 'gcc' }]);
		assert.deepEqual(handed({ code: 0 }), [{ ...subject, origin: '0' }]);
		assert.deepEqual(handed({ source: '', code: '' }), [subject]);
	});

	test('on a comment pass only its line', () => {
		const [action] = offered(codeDocument('/code/wick.c', code), { first: 1 });
		assert.deepEqual(action?.command?.arguments, [{ kind: 'here', uri: 'file:///code/wick.c', line: 1 }]);
	});

	test('do not appear in documents other than code, such as a new ticket', () => {
		for (const scheme of ['forge-new', 'forge-description', 'forge-mail', 'output', 'search-editor']) {
			const document = codeDocument('/wick', code, { uri: standFor<vscode.Uri>({ scheme }) });
			assert.deepEqual(offered(document, { first: 1 }, problemAt(1, 'Too long')), [], scheme);
		}
	});
});
