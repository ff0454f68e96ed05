import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { eventually } from '../../../../support/eventually.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { fakeConnection, fakeConnections, keptNames } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { fakeIndex } from '../../../../support/fakeIndex.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { makeTicket, makeTracker, makeUser } from '../../../../support/makeTicket.ts';
import { standFor } from '../../../../support/standFor.ts';
import { stubbedDecorationTypes, stubbedDiagnostics, type Diagnostic } from '../../../../support/stubbedText.ts';
import { stubbedDocuments, typeIn } from '../../../../support/stubbedDocuments.ts';
import {
	closeDocument,
	DiagnosticSeverity,
	openDocument,
	Position,
	Range,
	resetStub,
	showEditors,
	Uri,
} from '../../../../support/vscodeValues.ts';
import { writtenDocument, type WrittenDocument } from '../writtenDocument.ts';

const { newTicketChecks, shownTitleHints } =
	await import('../../../../../src/features/tickets/newTicket/newTicketChecks.ts');
const { newTicketLenses } = await import('../../../../../src/features/tickets/newTicket/newTicketFeature.ts');
const { draftUri } = await import('../../../../../src/features/tickets/drafts/draftUri.ts');

const tracker = { owner: '~alice', name: 'alpha' };
const about = { kind: 'newTicket', connectionKey: 'sample-alice', tracker, name: 'a1' } as const;
const uri = draftUri(about);
const pauseMs = 250;
const none = standFor<vscode.CancellationToken>({});

/** Checks for an account without open documents. */
function bench(me = '~alice', permissions?: readonly ('browse' | 'submit')[]) {
	const { world, api } = fakeTrackers(me);
	const defaultPermissions = permissions && { anonymous: [], submitter: [], user: permissions };
	world.trackers.push(makeTracker({ owner: makeUser('alice'), defaultPermissions }));
	const index = fakeIndex();
	const connections = fakeConnections(fakeConnection(api, me, keptNames(), index));
	const clock = fakeClock();
	const logged: unknown[] = [];
	const checks = newTicketChecks(connections, clock, {
		...quietProblems,
		log: (error) => void logged.push(error),
	});
	return { index, connections, clock, checks, logged, world };
}

function opened(text: string, at = uri): WrittenDocument {
	const written = writtenDocument(at, text);
	stubbedDocuments.open.push(written.document);
	openDocument(written.document);
	return written;
}

const marks = (at = uri): readonly Diagnostic[] => stubbedDiagnostics.get('forge')?.get(at.toString()) ?? [];
const messages = (): readonly string[] => marks().map(({ message }) => message);

suite('checks of a new ticket', () => {
	setup(() => resetStub());

	test('run after a pause in typing, and mark the title', async () => {
		const { clock, checks } = bench();
		const { write, document } = opened('ab\n\nText');
		clock.advance(pauseMs - 1);
		assert.deepEqual(marks(), []);
		write('a\n\nText');
		typeIn(document);
		clock.advance(1);
		assert.deepEqual(marks(), []);
		clock.advance(pauseMs);
		assert.deepEqual(
			marks().map(({ message, severity }) => [message, severity]),
			[['The title is too short: write at least 3 characters.', DiagnosticSeverity.Error]],
		);
		assert.deepEqual(marks()[0]?.range, new Range(new Position(0, 0), new Position(0, 1)));
		write('A title of some length');
		typeIn(document);
		clock.advance(pauseMs);
		assert.deepEqual(marks(), []);
		checks.dispose();
	});

	test('mark the text beyond the length limits', () => {
		const { clock, checks } = bench();
		opened(`${'t'.repeat(2049)}\n\n${'d'.repeat(16_384)}`);
		clock.advance(pauseMs);
		const [title, description] = marks();
		assert.deepEqual(title?.range, new Range(new Position(0, 2048), new Position(0, 2049)));
		assert.deepEqual(description?.range, new Range(new Position(2, 16_383), new Position(2, 16_384)));
		checks.dispose();
	});

	test('allow a missing title until the user submits', () => {
		const { clock, checks } = bench();
		const { write, document } = opened('\n\nText');
		clock.advance(pauseMs);
		assert.deepEqual(messages(), []);
		assert.deepEqual(
			checks.faults(about, '\n\nText').map(({ kind }) => kind),
			['titleMissing'],
		);
		assert.equal(messages().length, 1);
		assert.match(messages()[0] ?? '', /first line is the title/);
		write('A title\n\nText');
		typeIn(document);
		clock.advance(pauseMs);
		assert.deepEqual(messages(), []);
		checks.dispose();
	});

	test('show similar open tickets in a hint and in a code lens that opens them', async () => {
		const { index, clock, checks } = bench();
		const alike = makeTicket({ id: 7, title: 'The lamp flickers in $(wind) and rain, and it does so every evening' });
		index.know(tracker, [
			makeTicket({ id: 8, title: 'Something else' }),
			alike,
			makeTicket({ id: 6, title: 'The lamp flickers in wind and rain', status: 'resolved' }),
		]);
		opened('The lamp flickers in wind and rain');
		clock.advance(pauseMs);
		await eventually(async () => {
			clock.advance(0);
			return checks.findings(uri).similar.map(({ id }) => id);
		}, [7]);
		assert.deepEqual(
			marks().map(({ severity, source }) => [severity, source]),
			[[DiagnosticSeverity.Hint, 'Forge']],
		);
		assert.match(messages()[0] ?? '', /#7 The lamp flickers/);
		const lenses = lensesAbove(checks);
		const last = lenses.at(-1)?.command;
		assert.deepEqual(last?.command, 'forge.tickets.open');
		assert.deepEqual(last.arguments, [{ kind: 'ticket', connectionKey: 'sample-alice', ref: { tracker, id: 7 } }]);
		assert.match(last.title, /^Similar: #7 The lamp flickers in .*…$/u);
		assert.ok(!last.title.includes('$('));
		assert.equal(last.tooltip, alike.title);
		checks.dispose();
	});

	test('name several similar tickets in one short line: the nearest by title, the others by number', async () => {
		const { index, clock, checks } = bench();
		const title = 'The lamp flickers in wind and rain';
		const end = ', and it does so every evening until somebody closes the window';
		index.know(
			tracker,
			[11, 12, 13].map((id) => makeTicket({ id, title: `${title}${end}` })),
		);
		opened(title);
		clock.advance(pauseMs);
		await eventually(async () => {
			clock.advance(0);
			return checks.findings(uri).similar.length;
		}, 3);
		const similar = lensesAbove(checks).flatMap(({ command }) =>
			command?.command === 'forge.tickets.open' ? [command] : [],
		);
		const [first, ...others] = checks.findings(uri).similar.map(({ id }) => `#${id}`);
		assert.deepEqual(
			similar.map((each) => each.title),
			[`Similar: ${first ?? ''} The lamp flickers in wind and rain, and …`, ...others],
		);
		assert.deepEqual(
			similar.map(({ tooltip }) => tooltip),
			similar.map(() => `${title}${end}`),
		);
		assert.ok(titlesAbove(checks, uri).join(' | ').length < 110);
		checks.dispose();
	});

	test('warn when the forge may reject the ticket, and only then', async () => {
		const bobs = draftUri({ ...about, connectionKey: 'sample-bob' });
		const doubtful = bench('~bob', ['browse']);
		opened('A title of some length', bobs);
		await eventually(async () => doubtful.checks.findings(bobs).doubt !== undefined, true);
		assert.match(doubtful.checks.findings(bobs).doubt ?? '', /ask ~alice/);
		assert.deepEqual(
			marks(bobs).map(({ severity }) => severity),
			[DiagnosticSeverity.Warning],
		);
		const titles = titlesAbove(doubtful.checks, bobs);
		assert.equal(titles.length, 3);
		assert.match(titles[2] ?? '', /^\$\(warning\) /);
		doubtful.checks.dispose();

		resetStub();
		const free = bench('~bob', ['browse', 'submit']);
		const changed = new Promise<void>((resolve) => void free.checks.onDidChange(() => resolve()));
		opened('A title of some length', bobs);
		await changed;
		assert.equal(free.checks.findings(bobs).doubt, undefined);
		assert.deepEqual(titlesAbove(free.checks, bobs), ['$(send) Submit New Ticket', 'Discard…']);
		free.checks.dispose();
	});

	test('run again when the account of an open document connects', async () => {
		const { connections, clock, checks, index } = bench();
		const [account] = connections.all();
		assert.ok(account);
		connections.replace();
		index.know(tracker, [makeTicket({ id: 7, title: 'The lamp flickers in wind and rain' })]);
		opened('The lamp flickers in wind and rain');
		clock.advance(pauseMs);
		assert.deepEqual(checks.findings(uri), { doubt: undefined, similar: [] });
		connections.replace(account);
		clock.advance(pauseMs);
		await eventually(async () => {
			clock.advance(0);
			return checks.findings(uri).similar.length;
		}, 1);
		checks.dispose();
	});

	test('clear the marks of a closed document, and only log a failure', async () => {
		const { clock, checks, logged, world } = bench();
		world.before = () => {
			throw new Error('Not now');
		};
		const { document } = opened('ab');
		await eventually(async () => logged.length, 1);
		clock.advance(pauseMs);
		assert.equal(marks().length, 1);
		closeDocument(document);
		assert.equal(stubbedDiagnostics.get('forge')?.size, 0);
		typeIn(document);
		clock.advance(pauseMs);
		assert.equal(stubbedDiagnostics.get('forge')?.size, 0);
		checks.dispose();
		assert.equal(stubbedDiagnostics.size, 0);
	});

	test('ignore other documents', () => {
		const { clock, checks } = bench();
		const other = writtenDocument(Uri.from({ scheme: 'file', authority: '', path: '/a.md' }), 'a');
		openDocument(other.document);
		clock.advance(pauseMs);
		assert.equal(stubbedDiagnostics.get('forge')?.size, 0);
		assert.deepEqual(lensesAbove(checks, other.document.uri), []);
		checks.dispose();
	});

	test('offer to submit and discard above the title', () => {
		const { checks } = bench();
		const lenses = lensesAbove(checks);
		assert.deepEqual(
			lenses.map(({ command }) => {
				const handed: readonly unknown[] = command?.arguments ?? [];
				return [command?.command, ...handed];
			}),
			[
				['forge.tickets.submit', uri],
				['forge.tickets.discard', uri],
			],
		);
		checks.dispose();
	});
});

/** Code lenses of the document at this URI. */
function lensesAbove(checks: ReturnType<typeof newTicketChecks>, at = uri): readonly vscode.CodeLens[] {
	const lenses = newTicketLenses(checks).provideCodeLenses(standFor({ uri: at }), none);
	assert.ok(Array.isArray(lenses));
	return lenses;
}

function titlesAbove(checks: ReturnType<typeof newTicketChecks>, at: vscode.Uri): readonly string[] {
	return lensesAbove(checks, at).map(({ command }) => command?.title ?? '');
}

suite('hints in a new ticket', () => {
	setup(() => resetStub());

	/** An editor with a document, and its decorations. */
	function editorOf(written: WrittenDocument) {
		const shown: (readonly [line: number, text: string])[] = [];
		const editor = {
			document: written.document,
			setDecorations(_: unknown, all: readonly Hint[]) {
				shown.splice(0, Number.POSITIVE_INFINITY, ...all.map((each) => hintOf(each)));
			},
		};
		return { editor, shown };
	}

	test('name title and description until the user types there', () => {
		const written = writtenDocument(uri, '\n\n');
		const { editor, shown } = editorOf(written);
		showEditors(editor);
		const hints = shownTitleHints();
		assert.deepEqual(shown, [
			[0, 'Title of the ticket'],
			[2, 'Description in Markdown (optional)'],
		]);
		written.write('A title\n\n');
		typeIn(written.document);
		assert.deepEqual(shown, [[2, 'Description in Markdown (optional)']]);
		written.write('A title\n\nA text');
		typeIn(written.document);
		assert.deepEqual(shown, []);
		written.write('  \n\nA text');
		typeIn(written.document);
		assert.deepEqual(shown, [[0, 'Title of the ticket']]);
		written.write('');
		typeIn(written.document);
		assert.deepEqual(shown, [[0, 'Title of the ticket']]);
		hints.dispose();
		assert.ok(stubbedDecorationTypes.every(({ isDisposed }) => isDisposed));
	});

	test('appear in editors that open later, and in no other document', () => {
		const hints = shownTitleHints();
		const here = editorOf(writtenDocument(uri, '\n\n'));
		const other = editorOf(writtenDocument(Uri.from({ scheme: 'file', authority: '', path: '/a.md' }), '\n\n'));
		showEditors(here.editor, other.editor);
		assert.deepEqual([here.shown.length, other.shown.length], [2, 0]);
		hints.dispose();
		here.shown.length = 0;
		showEditors(here.editor);
		assert.deepEqual(here.shown, []);
	});
});

interface Hint {
	readonly range: Range;
	readonly renderOptions: { readonly after: { readonly contentText: string } };
}

function hintOf({ range, renderOptions }: Hint): readonly [line: number, text: string] {
	return [range.startLine, renderOptions.after.contentText];
}
