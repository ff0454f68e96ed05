import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { DraftDocuments } from '../../../../../src/features/tickets/drafts/draftDocuments.ts';
import type { Drafts } from '../../../../../src/store/drafts/drafts.ts';
import { fakeClock, type FakeClock } from '../../../../support/fakeClock.ts';
import { fakeDrafts, quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { standFor } from '../../../../support/standFor.ts';
import {
	stubbedDocuments,
	typeIn,
	untitledDocument,
	type StubbedDocument,
} from '../../../../support/stubbedDocuments.ts';
import { closeDocument, resetStub, stubbed, stubbedTabs } from '../../../../support/vscodeValues.ts';

const { draftDocuments } = await import('../../../../../src/features/tickets/drafts/draftDocuments.ts');
const { draftUri } = await import('../../../../../src/features/tickets/drafts/draftUri.ts');
const vscode = await import('vscode');

const about = {
	kind: 'newTicket',
	connectionKey: 'sample-alice',
	tracker: { owner: '~alice', name: 'alpha' },
	name: 'a1',
} as const;

interface Document extends StubbedDocument {
	text: string;
	isDirty: boolean;
	canBeSaved: boolean;
	/** The editor's own save is running, so it refuses others. */
	isBeingSaved: boolean;
	isClosed: boolean;
	saves: number;
	readonly lineCount: number;
	readonly lineAt: (line: number) => { readonly range: { readonly end: unknown } };
}

interface Bench {
	readonly documents: DraftDocuments;
	readonly drafts: Drafts;
	readonly clock: FakeClock;
	readonly document: Document;
	readonly type: (text: string) => void;
	readonly kept: () => string | undefined;
}

/** `restored`: dirty text of a document that the editor reopened; `at`: its URI. */
function bench({
	draft,
	restored,
	at = draftUri(about),
}: { readonly draft?: string; readonly restored?: string; readonly at?: StubbedDocument['uri'] } = {}): Bench {
	const drafts = fakeDrafts();
	const clock = fakeClock();
	if (draft !== undefined) {
		void drafts.keep(about, { text: draft, atMs: clock.nowMs() });
	}
	const type = (text: string): void => {
		document.text = text;
		document.isDirty = true;
		typeIn(document);
	};
	const document: Document = {
		uri: at,
		text: restored ?? '',
		isDirty: restored !== undefined,
		replace: type,
		canBeSaved: true,
		isBeingSaved: false,
		isClosed: false,
		saves: 0,
		getText: () => document.text,
		get lineCount() {
			return document.text.split('\n').length;
		},
		lineAt: (line) => ({ range: new vscode.Range(line, 0, line, document.text.split('\n')[line]?.length ?? 0) }),
		async save() {
			if (!document.canBeSaved) {
				throw new Error('The disk is full');
			}
			assert.ok(!document.isClosed, 'a closed document cannot be saved');
			if (document.isBeingSaved) {
				return false;
			}
			document.saves += 1;
			document.isDirty = false;
			return true;
		},
	};
	if (restored !== undefined) {
		stubbedDocuments.open.push(document);
	}
	const documents = draftDocuments(drafts, clock, quietProblems);
	if (restored === undefined) {
		stubbedDocuments.open.push(document);
	}
	return {
		documents,
		drafts,
		clock,
		document,
		type,
		kept: () => drafts.draft(about)?.text,
	};
}

const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

suite('draft documents', () => {
	setup(resetStub);

	test('replaces a restored older text with the draft, without a question', async () => {
		const { document, kept, clock } = bench({ draft: 'round 4 says', restored: 'r' });
		await settled();
		assert.equal(document.text, 'round 4 says');
		clock.advance(5000);
		await settled();
		assert.deepEqual([kept(), stubbed.warned.length], ['round 4 says', 0]);
	});

	test('keeps a restored newer text', async () => {
		const { document, kept, clock } = bench({ draft: 'round 4', restored: 'round 4 says' });
		clock.advance(300);
		await settled();
		assert.deepEqual([document.text, kept(), stubbed.warned.length], ['round 4 says', 'round 4 says', 0]);
	});

	test('a document at the URI of an earlier version stays the only one of its draft', async () => {
		const at = vscode.Uri.parse('forge-new://sample-alice/.forge-new/~alice/alpha/a1/New ticket in alpha');
		const { documents, document, kept, clock, type } = bench({ draft: 'round 4', restored: 'round 4 says', at });
		clock.advance(300);
		await settled();
		assert.deepEqual([document.text, kept()], ['round 4 says', 'round 4 says']);
		await documents.open(about);
		assert.equal(String(stubbed.documents.at(-1)?.[0]), at.toString());
		type('round 4 says more');
		assert.equal(documents.textOf(about), 'round 4 says more');
		stubbedTabs.push({ label: '', input: new vscode.TabInputText(at) });
		await documents.finish(about);
		clock.advance(5000);
		await settled();
		assert.deepEqual([kept(), document.isDirty], [undefined, false]);
		assert.deepEqual(stubbedTabs, []);
	});

	test('offers the draft when neither it nor the restored text is newer', async () => {
		stubbed.answers.push('Use Draft');
		const { document, kept, clock } = bench({ draft: 'One thing', restored: 'Another' });
		assert.equal(document.text, 'Another');
		clock.advance(300);
		await settled();
		assert.deepEqual([document.text, stubbed.warned.length], ['One thing', 1]);
		clock.advance(300);
		await settled();
		assert.equal(kept(), 'One thing');
	});

	test('opens a document with the cursor at the end or in the given line', async () => {
		const { documents, document } = bench();
		document.text = 'Said before\n\nn';
		await documents.open(about, 'Unused', 'end');
		const [shown, options] = stubbed.documents.at(-1) ?? [];
		assert.equal(shown, document);
		const end = new vscode.Position(2, 1);
		assert.deepEqual(options, { preview: false, selection: new vscode.Range(end, end) });
		for (const [line, wanted] of [
			[0, new vscode.Position(0, 11)],
			[7, end],
		] as const) {
			await documents.open(about, 'Unused', line);
			assert.deepEqual(stubbed.documents.at(-1)?.[1], { preview: false, selection: new vscode.Range(wanted, wanted) });
		}
	});

	test('stores steady typing within a second, and saves the document at the first pause', async () => {
		const { type, clock, kept, document } = bench();
		let text = '';
		for (let key = 0; key < 9; key += 1) {
			text += 'x';
			type(text);
			clock.advance(100);
			await settled();
		}
		assert.ok((kept() ?? '').length >= 6, kept());
		assert.equal(document.saves, 0);
		clock.advance(400);
		await settled();
		assert.deepEqual([kept(), document.saves], [text, 1]);
	});

	test('returns the text of the document, else of the draft, else nothing', async () => {
		const { documents, drafts, type } = bench();
		await drafts.keep(about, { text: 'kept', atMs: 1 });
		type('typed');
		assert.equal(documents.textOf(about), 'typed');
		stubbedDocuments.open.length = 0;
		assert.equal(documents.textOf(about), 'kept');
		await drafts.keep(about, { text: '', atMs: 2 });
		assert.equal(documents.textOf(about), undefined);
	});

	test('finishing a document deletes its draft, and no later save restores it', async () => {
		const { documents, type, clock, kept } = bench();
		type('typed');
		const told: unknown[] = [];
		documents.onDidReplace((each) => told.push([each, kept()]));
		await documents.finish(about);
		assert.deepEqual(told, [[about, undefined]]);
		clock.advance(5000);
		await settled();
		assert.equal(kept(), undefined);
	});

	test('stores a document in a diff like any other, and closes the diff with it', async () => {
		const { documents, document, type, clock, kept } = bench();
		const original = draftUri({ ...about, name: 'other' });
		untitledDocument(original);
		await documents.openBeside(about, { original, title: 'Beside' });
		assert.deepEqual(stubbed.executed, ['vscode.diff']);
		assert.deepEqual(stubbed.passedMore.at(-1)?.map(String), [document.uri, 'Beside', {}].map(String));
		type('typed');
		clock.advance(300);
		await settled();
		assert.equal(kept(), 'typed');
		const tabOf = (modified: unknown) => ({
			label: '',
			input: new vscode.TabInputTextDiff(original, standFor(modified)),
		});
		stubbedTabs.push(tabOf(document.uri), tabOf(original));
		await documents.finish(about);
		assert.deepEqual([stubbedTabs.length, kept()], [1, undefined]);
	});

	test('rereads a document without a draft in a diff, since the editor may hold an earlier text', async () => {
		const { documents, type, clock } = bench();
		const original = draftUri({ ...about, name: 'other' });
		untitledDocument(original);
		const finished: unknown[] = [];
		documents.onDidReplace((each) => finished.push(each));
		await documents.openBeside(about, { original, title: 'Beside' });
		assert.deepEqual(finished, [about]);
		type('typed');
		clock.advance(300);
		await settled();
		await documents.openBeside(about, { original, title: 'Beside' });
		assert.deepEqual(finished, [about], 'what was typed stays as it is');
	});

	test('finishing waits for the editor’s own save, which would store the draft again', async () => {
		const { documents, type, clock, kept, document } = bench();
		type('typed');
		clock.advance(300);
		await settled();
		document.isBeingSaved = true;
		const finishing = documents.finish(about);
		await settled();
		stubbedDocuments.savedListeners.forEach((listener) => listener(untitledDocument('other')));
		await settled();
		assert.equal(kept(), 'typed', 'it waits for this very document');
		document.isBeingSaved = false;
		stubbedDocuments.savedListeners.forEach((listener) => listener(document));
		await finishing;
		assert.deepEqual([kept(), document.isDirty, document.saves], [undefined, false, 1], 'typed since, and saved');
	});

	test('finishing ends without a save when the user closes the document', async () => {
		const { documents, type, kept, document } = bench();
		type('typed');
		document.isBeingSaved = true;
		const finishing = documents.finish(about);
		await settled();
		document.isClosed = true;
		closeDocument(document);
		await finishing;
		assert.equal(kept(), undefined);
	});

	test('finishing deletes the draft even when the editor never saves the document', async () => {
		const { documents, type, kept, document, clock } = bench();
		type('typed');
		document.isBeingSaved = true;
		const finishing = documents.finish(about);
		await settled();
		clock.advance(10_000);
		await finishing;
		assert.deepEqual([kept(), document.isDirty], [undefined, true]);
	});

	test('keeps storing the draft after its document fails to save', async () => {
		const { documents, type, clock, kept, document } = bench();
		type('typed');
		document.canBeSaved = false;
		await assert.rejects(documents.finish(about), { message: 'The disk is full' });
		type('typed on');
		clock.advance(1000);
		await settled();
		assert.equal(kept(), 'typed on');
	});
});
