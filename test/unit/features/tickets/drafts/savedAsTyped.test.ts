import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { eagerClock } from '../../../../support/eagerClock.ts';
import { standFor } from '../../../../support/standFor.ts';
import {
	saveBySettings,
	stubbedDocuments,
	typeIn,
	type StubbedDocument,
} from '../../../../support/stubbedDocuments.ts';
import { openDocument, resetStub } from '../../../../support/vscodeValues.ts';

const { savedAsTyped } = await import('../../../../../src/features/tickets/drafts/draftDocuments.ts');
const { draftUri } = await import('../../../../../src/features/tickets/drafts/draftUri.ts');
const vscode = await import('vscode');

const review = {
	kind: 'review',
	connectionKey: 'sample-alice',
	ref: { list: { owner: '~alice', name: 'alpha' }, id: 3 },
} as const;
const suggested = { ...review, part: { kind: 'suggestedFile', document: 'forge-patch://a/src/fold.c' } } as const;
const comment = { ...review, part: { kind: 'status' } } as const;

interface Document extends StubbedDocument {
	text: string;
}

interface Bench {
	readonly asTyped: ReturnType<typeof savedAsTyped>;
	readonly document: Document;
	/** Texts that replaced saved ones. */
	readonly replaced: string[];
}

/** `isShownLate`: the editor does not show the replacement yet. */
function bench(
	text: string,
	about: typeof suggested | typeof comment = suggested,
	{ isShownLate = false } = {},
): Bench {
	const document: Document = {
		uri: draftUri(about),
		text,
		isDirty: false,
		getText: () => document.text,
		async save() {
			saveBySettings(document, () => (document.text = document.text.replaceAll(/ +$/gm, '').toUpperCase()));
			return true;
		},
	};
	const replaced: string[] = [];
	const asTyped = savedAsTyped(
		eagerClock(),
		async (_, uri, wanted) => {
			assert.equal(uri.toString(), document.uri.toString());
			replaced.push(wanted);
			document.text = isShownLate ? document.text : wanted;
		},
		(error) => assert.fail(String(error)),
	);
	stubbedDocuments.open.push(document);
	openDocument(document);
	return { asTyped, document, replaced };
}

const settled = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve));
const trim = (document: Document): void =>
	saveBySettings(document, () => (document.text = document.text.replaceAll(/ +$/gm, '')));
const saveAsIs = (document: Document): void =>
	stubbedDocuments.savedListeners.forEach((listener) => listener(document));

suite('saving a suggested file', () => {
	setup(resetStub);

	test('restores trailing spaces that settings trimmed, and keeps typed text', async () => {
		const { document, replaced } = bench('one  \ntwo  \n');
		document.text = 'new\none  \ntwo  \n';
		trim(document);
		await settled();
		assert.deepEqual(replaced, ['new\none  \ntwo  \n']);
	});

	test('restores them again when another save precedes their display, but not later', async () => {
		const { document, replaced } = bench('one  \n', suggested, { isShownLate: true });
		trim(document);
		await settled();
		saveAsIs(document);
		await settled();
		assert.deepEqual(replaced, ['one  \n', 'one  \n']);
		document.text = 'one  \n';
		typeIn(document);
		document.text = 'one\n';
		typeIn(document);
		saveAsIs(document);
		await settled();
		assert.equal(replaced.length, 2);
	});

	test('restores them when our own save precedes their display', async () => {
		const { asTyped, document, replaced } = bench('one  \n', suggested, { isShownLate: true });
		trim(document);
		await settled();
		const again = {
			...document,
			async save() {
				saveAsIs(document);
				return true;
			},
		};
		await asTyped.save(standFor(again));
		await settled();
		assert.deepEqual(replaced, ['one  \n', 'one  \n']);
	});

	test('does not restore spaces that the user removed before', async () => {
		const { document, replaced } = bench('one  \ntwo  \n');
		document.text = 'one\ntwo  \n';
		saveAsIs(document);
		await settled();
		trim(document);
		await settled();
		assert.deepEqual(replaced, ['one\ntwo  \n']);
	});

	test('restores the text of an inactive editor, whatever the settings changed', async () => {
		const { asTyped, document, replaced } = bench('one\n');
		document.text = 'one  \ntwo\n';
		await asTyped.save(standFor(document));
		await settled();
		assert.deepEqual(replaced, ['one  \ntwo\n']);
	});

	test('leaves the document of the active editor as saved, since the user may be typing', async () => {
		const { asTyped, document, replaced } = bench('one  \n');
		vscode.window.activeTextEditor = standFor({ document });
		await asTyped.save(standFor(document));
		await settled();
		assert.deepEqual(replaced, []);
		assert.equal(document.text, 'ONE\n');
	});

	/** Trims only this line, with the change event of the editor. */
	function blanksGo(document: Document, text: string, line: number): void {
		document.text = text;
		const lines = text.split('\n');
		const told = { ...document, lineCount: lines.length, lineAt: (at: number) => ({ text: lines[at] ?? '' }) };
		const start = { line, character: lines[line]?.length ?? 0 };
		typeIn(told, [{ range: { start }, text: '' }]);
	}

	test('keeps typed text when our own save completes one that already trimmed lines', async () => {
		await vscode.workspace.getConfiguration('files').update('trimTrailingWhitespace', true);
		const { asTyped, document, replaced } = bench('one  \n');
		blanksGo(document, 'new\none\n', 1);
		const again = {
			...document,
			async save() {
				saveAsIs(document);
				return true;
			},
		};
		await asTyped.save(standFor(again));
		await settled();
		assert.deepEqual(replaced, ['new\none  \n']);
	});

	test('does not restore spaces that the user deletes at the cursor, or without a trimming setting', async () => {
		const without = bench('one  \n');
		blanksGo(without.document, 'one\n', 0);
		saveAsIs(without.document);
		await settled();
		assert.deepEqual(without.replaced, []);
		resetStub();
		await vscode.workspace.getConfiguration('files').update('trimTrailingWhitespace', true);
		const { document, replaced } = bench('one  \n');
		document.text = 'one\n';
		const told = { ...document, lineCount: 2, lineAt: () => ({ text: 'one' }) };
		const here = { line: 0, character: 3 };
		vscode.window.visibleTextEditors = [standFor({ document: told, selections: [{ start: here, end: here }] })];
		typeIn(told, [{ range: { start: here }, text: '' }]);
		saveAsIs(document);
		await settled();
		assert.deepEqual(replaced, []);
	});

	test('restores nothing after further typing or for a finished document', async () => {
		const typed = bench('one  \n');
		trim(typed.document);
		typed.document.text = 'one\nmore';
		await settled();
		assert.deepEqual(typed.replaced, []);
		const done = bench('one  \n');
		done.asTyped.forget(standFor(done.document.uri));
		trim(done.document);
		await settled();
		assert.deepEqual(done.replaced, []);
	});

	test('applies to no other draft', async () => {
		const { document, replaced } = bench('one  \n', comment);
		trim(document);
		await settled();
		assert.deepEqual(replaced, []);
	});
});
