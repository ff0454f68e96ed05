import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { FolderMapping } from '../../../../../src/editor/git/folderMapping.ts';
import type { TicketsContext } from '../../../../../src/features/tickets/context/ticketsContext.ts';
import { eventually } from '../../../../support/eventually.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { fakeConnection, fakeConnections, keptNames } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { uriAt } from '../../../../support/fakeGit.ts';
import { fakeIndex } from '../../../../support/fakeIndex.ts';
import { makeTicket, makeTracker } from '../../../../support/makeTicket.ts';
import { standFor } from '../../../../support/standFor.ts';
import { stubbedWorkspace } from '../../../../support/stubbedWorkspace.ts';
import { Position, Range, resetStub, stubbed, Uri } from '../../../../support/vscodeValues.ts';
import { writtenDocument } from '../writtenDocument.ts';

const { folderOfDocument, referenceHovers, referenceLinks, terminalLinks } =
	await import('../../../../../src/features/tickets/references/linkProviders.ts');
const { referenceCompletions } = await import('../../../../../src/features/tickets/references/completions.ts');
const { ticketLookups } = await import('../../../../../src/features/tickets/references/ticketLookups.ts');

const tracker = { owner: '~alice', name: 'alpha' };
const website = { owner: '~alice', name: 'website' };

/** A token that stays active until `cancel`. */
function token() {
	const listeners = new Set<() => void>();
	const made = {
		isCancellationRequested: false,
		onCancellationRequested(listener: () => void) {
			listeners.add(listener);
			return { dispose: () => void listeners.delete(listener) };
		},
	};
	return {
		token: standFor<vscode.CancellationToken>(made),
		cancel: () => {
			made.isCancellationRequested = true;
			listeners.forEach((listener) => listener());
		},
	};
}

/** Folders below `/website` belong to one tracker, all others to another. */
function bench(me = '~alice') {
	const { world, api } = fakeTrackers();
	world.trackers.push(makeTracker());
	world.tickets.set('~alice/alpha', [makeTicket({ id: 12 })]);
	const index = fakeIndex();
	const connections = fakeConnections(fakeConnection(api, me, keptNames('~alice/alpha'), index));
	const clock = fakeClock();
	const asked: string[] = [];
	const folders: FolderMapping = {
		async of(at) {
			asked.push(at.path);
			const ref = at.path.startsWith('/website') ? website : tracker;
			return {
				root: at,
				repository: undefined,
				list: undefined,
				tracker: { ref, connectionKey: `sample-${me.slice(1)}`, foundBy: { kind: 'setting' } },
			};
		},
	};
	const desk = fake<TicketsContext>({ connections, folders, clock });
	return { world, index, clock, asked, desk, looks: ticketLookups(connections, clock) };
}

const about = (id: number, ref = tracker): object => ({
	kind: 'ticket',
	connectionKey: 'sample-alice',
	ref: { tracker: ref, id },
});

suite('reference links in a document', () => {
	setup(() => resetStub());

	test('cover exactly the reference, and open the ticket with our command', async () => {
		const { desk, world } = bench();
		const { document } = writtenDocument(uriAt('/code/a.md'), 'First\nsee #12 and ~bob/x#4.');
		const links = (await referenceLinks(desk).provideDocumentLinks(document, token().token)) ?? [];
		assert.deepEqual(
			links.map(({ range }) => document.getText(range)),
			['#12', '~bob/x#4'],
		);
		assert.deepEqual(links[0]?.range, new Range(new Position(1, 4), new Position(1, 7)));
		assert.deepEqual(
			links.map(({ target }) => [target?.scheme, target?.path, target?.query]),
			[
				['command', 'forge.tickets.open', JSON.stringify([about(12)])],
				['command', 'forge.tickets.open', JSON.stringify([about(4, { owner: '~bob', name: 'x' })])],
			],
		);
		assert.match(links[0]?.tooltip ?? '', /~alice\/alpha#12/);
		assert.deepEqual(world.calls, []);
	});

	test('are empty when the editor cancels the request', async () => {
		const { desk } = bench();
		const { document } = writtenDocument(uriAt('/code/a.md'), '#12');
		const { token: cancelled, cancel } = token();
		const folders: FolderMapping = {
			of: async (_, signal) => {
				cancel();
				signal.throwIfAborted();
				return assert.fail('the signal was aborted');
			},
		};
		assert.deepEqual(await referenceLinks({ ...desk, folders }).provideDocumentLinks(document, cancelled), []);
	});

	test('have a hover card over the reference and nowhere else', async () => {
		const { desk, looks, clock } = bench();
		const { document } = writtenDocument(uriAt('/code/a.md'), 'see #12.');
		const hovers = referenceHovers(desk, looks);
		const at = (character: number) =>
			hovers.provideHover(document, standFor<vscode.Position>(new Position(0, character)), token().token);
		for (const character of [0, 3, 8]) {
			assert.equal(await at(character), undefined);
		}
		for (const character of [4, 7]) {
			const pointing = Promise.resolve(at(character));
			let hover: vscode.Hover | null | undefined;
			void pointing.then((found) => (hover = found));
			await eventually(async () => {
				clock.advance(150);
				return hover !== undefined;
			}, true);
			const [card] = [hover?.contents].flat();
			assert.match(standFor<vscode.MarkdownString>(card).value, /alpha.*12/);
			assert.equal(hover?.range && document.getText(hover.range), '#12');
		}
	});

	test('use the folder of the document, or the repository of the commit box', async () => {
		const { desk, asked } = bench();
		const links = referenceLinks(desk);
		await links.provideDocumentLinks(writtenDocument(uriAt('/website/a.md'), '#1').document, token().token);
		stubbedWorkspace.folders.push({ uri: uriAt('/first'), name: 'first', index: 0 });
		const untitled = writtenDocument(Uri.from({ scheme: 'untitled', authority: '', path: 'Untitled-1' }), '#1', {
			isUntitled: true,
		});
		await links.provideDocumentLinks(untitled.document, token().token);
		assert.deepEqual(asked, ['/website/a.md', '/first']);
		const box = (query: string) => standFor<vscode.TextDocument>({ uri: { scheme: 'vscode-scm', query } });
		assert.equal(folderOfDocument(box('rootUri=file%3A%2F%2F%2Frepo'))?.toString(), 'file:///repo');
		assert.equal(folderOfDocument(box(''))?.path, '/first');
	});
});

suite('reference links in a terminal', () => {
	setup(() => resetStub());

	const inTerminal = (line: string, terminal: object = { creationOptions: {} }) =>
		standFor<vscode.TerminalLinkContext>({ line, terminal });

	test('name and open the ticket of the terminal’s folder', async () => {
		const { desk, asked } = bench();
		const terminals = terminalLinks(desk);
		const places = [
			{ shellIntegration: { cwd: uriAt('/website/now') }, creationOptions: { cwd: '/code' } },
			{ creationOptions: { cwd: '/website/started' } },
			{ creationOptions: { cwd: uriAt('/website/uri') } },
		];
		for (const terminal of places) {
			const [link, ...more] =
				(await terminals.provideTerminalLinks(inTerminal('fix #12', terminal), token().token)) ?? [];
			assert.deepEqual(more, []);
			assert.deepEqual([link?.startIndex, link?.length, link?.subject], [4, 3, about(12, website)]);
			assert.match(link?.tooltip ?? '', /~alice\/website#12/);
			assert.ok(link);
			await terminals.handleTerminalLink(link);
		}
		assert.deepEqual(asked, ['/website/now', '/website/started', '/website/uri']);
		assert.deepEqual(stubbed.executed, ['forge.tickets.open', 'forge.tickets.open', 'forge.tickets.open']);
		assert.deepEqual(stubbed.passed[0], about(12, website));
	});

	test('skip numbers at the start of a line, since other programs print them', async () => {
		const { desk } = bench();
		stubbedWorkspace.folders.push({ uri: uriAt('/code'), name: 'code', index: 0 });
		const found = async (line: string): Promise<readonly string[]> => {
			const links = (await terminalLinks(desk).provideTerminalLinks(inTerminal(line), token().token)) ?? [];
			return links.map(({ startIndex, length }) => line.slice(startIndex, startIndex + length));
		};
		assert.deepEqual(await found('#1 0x00 in main #2'), ['#2']);
		assert.deepEqual(await found('~bob/x#1 and #2'), ['~bob/x#1', '#2']);
	});
});

suite('completions of a typed reference', () => {
	setup(() => resetStub());

	async function offered(text: string, { languageId = 'markdown', tickets = 3, me = '~alice' } = {}) {
		const { desk, index } = bench(me);
		index.know(tracker, [
			makeTicket({ id: 3, title: 'Third \u202Eone', updatedMs: 1 }),
			makeTicket({ id: 2, title: 'Second', updatedMs: 5 }),
			makeTicket({ id: 1, title: 'First', status: 'resolved', updatedMs: 9 }),
			...Array.from({ length: tickets - 3 }, (_, place) => makeTicket({ id: 10 + place, updatedMs: 0 })),
		]);
		const { document } = writtenDocument(uriAt('/code/a.md'), text, { languageId });
		const completions = referenceCompletions(desk);
		const lines = text.split('\n');
		const end = new Position(lines.length - 1, lines.at(-1)?.length ?? 0);
		const found = await completions.provideCompletionItems(
			document,
			standFor<vscode.Position>(end),
			token().token,
			standFor<vscode.CompletionContext>({}),
		);
		const items = Array.isArray(found) ? found : (found?.items ?? []);
		return { items, isWhole: Array.isArray(found) || found?.isIncomplete === false, completions };
	}

	test('list open tickets of the folder’s tracker, latest change first, with a card for each', async () => {
		const { items, completions, isWhole } = await offered('see #');
		assert.deepEqual(
			items.map(({ label, insertText, sortText }) => [label, insertText, sortText]),
			[
				[{ label: '#2', detail: ' Second', description: 'Reported' }, '#2', '000000'],
				[{ label: '#3', detail: ' Third ⟨U+202E⟩one', description: 'Reported' }, '#3', '000001'],
			],
		);
		assert.ok(isWhole);
		const [first] = items;
		assert.ok(first);
		assert.equal(first.documentation, undefined);
		const resolved = await completions.resolveCompletionItem?.(first, token().token);
		assert.match(standFor<vscode.MarkdownString>(resolved?.documentation).value, /alpha.*2.*\n[\s\S]*Second/);
	});

	test('name tickets of another user’s tracker in full', async () => {
		const { items } = await offered('see #', { me: '~bob' });
		assert.deepEqual(
			items.map(({ insertText }) => insertText),
			['~alice/alpha#2', '~alice/alpha#3'],
		);
	});

	test('mark a very long list as incomplete, so that further typing requests it again', async () => {
		const { items, isWhole } = await offered('see #', { tickets: 2100 });
		assert.deepEqual([items.length, isWhole], [2000, false]);
	});

	test('list trailers in a commit message, and ticket URLs after a trailer', async () => {
		const keys = await offered('Fix it\n\nFi', { languageId: 'git-commit' });
		assert.ok(keys.items.some(({ insertText }) => insertText === 'Fixes: '));
		assert.ok(keys.items.every(({ command }) => command?.command === 'editor.action.triggerSuggest'));
		const tickets = await offered('Fix it\n\nFixes: ', { languageId: 'git-commit' });
		assert.deepEqual(
			tickets.items.map(({ insertText }) => insertText),
			['https://todo.forge.test/~alice/alpha/2', 'https://todo.forge.test/~alice/alpha/3'],
		);
	});

	test('list nothing without a reference, or for a folder without a known account', async () => {
		assert.deepEqual((await offered('see')).items, []);
		const { desk } = bench();
		const folders: FolderMapping = {
			of: async (at) => ({
				root: at,
				repository: undefined,
				list: undefined,
				tracker: { ref: tracker, connectionKey: 'somebody-else', foundBy: { kind: 'setting' } },
			}),
		};
		const { document } = writtenDocument(uriAt('/code/a.md'), 'see #');
		const found = await referenceCompletions({ ...desk, folders }).provideCompletionItems(
			document,
			standFor<vscode.Position>(new Position(0, 5)),
			token().token,
			standFor<vscode.CompletionContext>({}),
		);
		assert.equal(found, undefined);
	});
});
